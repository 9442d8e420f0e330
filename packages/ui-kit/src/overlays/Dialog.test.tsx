import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { Button } from "../controls/Button.tsx";
import { Dialog, type DialogProps } from "./Dialog.tsx";

function Opener(props: Partial<DialogProps>): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        open
      </button>
      {isOpen ? <Dialog title="Sessions" onClose={() => setIsOpen(false)} {...props} /> : null}
    </>
  );
}

async function opened(props: Partial<DialogProps> = {}) {
  render(<Opener {...props} />);
  await userEvent.click(screen.getByRole("button", { name: "open" }));
  return within(screen.getByRole("dialog", { name: "Sessions" }));
}

const isClosed = () => screen.queryByRole("dialog") === null;

describe("Dialog", () => {
  it("is modal, has its title as name, and shows its content and footer", async () => {
    const dialog = await opened({ children: <p>Content</p>, footer: <Button>Done</Button> });
    expect(screen.getByRole("dialog").getAttribute("aria-modal")).toBe("true");
    expect(dialog.getByRole("heading", { name: "Sessions", level: 2 })).toBeTruthy();
    expect(dialog.getByText("Content")).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Done" })).toBeTruthy();
  });

  it("focuses the close icon when it opens", async () => {
    const dialog = await opened();
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Close" }));
  });

  it("focuses the element with data-autofocus when it opens", async () => {
    const dialog = await opened({ footer: <Button data-autofocus>Confirm</Button> });
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Confirm" }));
  });

  it.each([
    ["the close icon", () => userEvent.click(screen.getByRole("button", { name: "Close" }))],
    ["Esc", () => userEvent.keyboard("{Escape}")],
  ])("closes on %s and restores the focus", async (_, close) => {
    await opened();
    await close();
    expect(isClosed()).toBe(true);
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "open" }));
  });

  it("traps Tab", async () => {
    const dialog = await opened({ footer: <Button>Done</Button> });
    const [close, done] = [dialog.getByRole("button", { name: "Close" }), dialog.getByRole("button", { name: "Done" })];
    await userEvent.tab();
    expect(document.activeElement).toBe(done);
    await userEvent.tab();
    expect(document.activeElement).toBe(close);
    await userEvent.tab({ shift: true });
    expect(document.activeElement).toBe(done);
  });

  it("closes on a press beside it, but not on one that started inside", async () => {
    const dialog = await opened({ children: <p>Content</p> });
    const element = screen.getByRole("dialog");
    const beside = { target: element, coords: { clientX: 500, clientY: 500 } };
    await userEvent.pointer([
      { keys: "[MouseLeft>]", target: dialog.getByText("Content") },
      { ...beside, keys: "[/MouseLeft]" },
    ]);
    expect(isClosed()).toBe(false);
    await userEvent.pointer([
      { ...beside, keys: "[MouseLeft>]" },
      { ...beside, keys: "[/MouseLeft]" },
    ]);
    expect(isClosed()).toBe(true);
  });
});
