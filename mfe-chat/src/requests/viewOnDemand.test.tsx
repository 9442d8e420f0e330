import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { viewOnDemand } from "./viewOnDemand.tsx";

describe("a view that is loaded on demand", () => {
  it("is shown when its code is loaded, after Retry if that fails", async () => {
    const load = jest.fn(async () => ({ text }: { text: string }) => <p>{text}</p>);
    const View = viewOnDemand(load.mockRejectedValueOnce(new Error("No network")));
    render(<View text="Loaded" onClose={() => undefined} />);
    await screen.findByRole("dialog", { name: "Something went wrong with your request" });
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("Loaded")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is closed by the dialog that reports the failure", async () => {
    const onClose = jest.fn();
    const View = viewOnDemand(() => Promise.reject(new Error("No network")));
    render(<View onClose={onClose} />);
    await userEvent.click(await screen.findByRole("button", { name: "Close" }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
