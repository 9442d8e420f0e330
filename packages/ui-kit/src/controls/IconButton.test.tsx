import { render, screen } from "@testing-library/react";
import * as icons from "../basics/icons.ts";
import { IconButton } from "./IconButton.tsx";

describe("IconButton", () => {
  it("uses its label as name and tooltip of a decorative icon", () => {
    render(<IconButton icon={icons.close} aria-label="Close" />);
    const button = screen.getByRole("button", { name: "Close" });
    expect([button.title, button.getAttribute("type")]).toEqual(["Close", "button"]);
    expect(button.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
  });
});
