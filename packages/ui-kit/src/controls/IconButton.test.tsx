import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as icons from "../basics/icons.ts";
import { IconButton } from "./IconButton.tsx";

describe("IconButton", () => {
  it("uses its label as name and tooltip of a decorative icon", () => {
    render(<IconButton icon={icons.close} aria-label="Close" />);
    const button = screen.getByRole("button", { name: "Close" });
    expect([button.title, button.getAttribute("type")]).toEqual(["Close", "button"]);
    expect(button.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
  });

  it("keeps the focus when it is disabled, and ignores clicks", async () => {
    const onClick = jest.fn();
    const { rerender } = render(<IconButton icon={icons.minus} aria-label="Zoom out" onClick={onClick} />);
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Zoom out" });
    await userEvent.click(button);
    expect([onClick.mock.calls.length, button.getAttribute("aria-disabled")]).toEqual([1, null]);
    rerender(<IconButton icon={icons.minus} aria-label="Zoom out" onClick={onClick} disabled />);
    await userEvent.keyboard("{Enter}");
    await userEvent.click(button);
    expect([button.getAttribute("aria-disabled"), button.disabled]).toEqual(["true", false]);
    expect(document.activeElement).toBe(button);
    expect(onClick).toHaveBeenCalledTimes(1);
  });
});
