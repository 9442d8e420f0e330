import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { viewOnDemand } from "./viewOnDemand.tsx";

const Text = ({ text = "Loaded" }: { text?: string }) => <p>{text}</p>;

describe("a view that is loaded on demand", () => {
  it("is shown when its code is loaded, after Retry if that fails", async () => {
    const load = jest.fn(async () => ({ Text }));
    const View = viewOnDemand(load.mockRejectedValueOnce(new Error("No network")), "Text");
    render(<View text="After Retry" onClose={() => undefined} />);
    await screen.findByRole("dialog", { name: "Something went wrong with your request" });
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("After Retry")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is closed by the dialog that reports the failure", async () => {
    const onClose = jest.fn();
    const View = viewOnDemand(() => Promise.reject(new Error("No network")), "Text");
    render(<View onClose={onClose} />);
    await userEvent.click(await screen.findByRole("button", { name: "Close" }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it("is cancelled by Esc while its code is loading, and only then", async () => {
    const [onClose, onOuterKey] = [jest.fn(), jest.fn()];
    const { promise, resolve } = Promise.withResolvers<{ Text: typeof Text }>();
    const View = viewOnDemand(() => promise, "Text");
    render(
      <section aria-label="Thread" onKeyDown={onOuterKey}>
        <button type="button">Forward</button>
        <View onClose={onClose} />
      </section>,
    );
    screen.getByRole("button").focus();
    await userEvent.keyboard("{Escape}");
    expect([onClose.mock.calls.length, onOuterKey.mock.calls.length]).toEqual([1, 0]);
    fireEvent.keyDown(screen.getByRole("button"), { key: "Escape", isComposing: true });
    expect([onClose.mock.calls.length, onOuterKey.mock.calls.length]).toEqual([1, 1]);
    resolve({ Text });
    await screen.findByText("Loaded");
    await userEvent.keyboard("{Escape}");
    expect([onClose.mock.calls.length, onOuterKey.mock.calls.length]).toEqual([1, 2]);
  });
});
