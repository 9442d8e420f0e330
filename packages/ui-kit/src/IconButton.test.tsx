import { render, screen } from "@testing-library/react";
import { IconButton } from "./IconButton.tsx";

describe("IconButton", () => {
  it("has its label as name and tooltip; the icon is decorative", () => {
    render(<IconButton icon="close" aria-label="Close" />);
    const button = screen.getByRole("button", { name: "Close" });
    expect([button.title, button.getAttribute("type")]).toEqual(["Close", "button"]);
    expect(button.querySelector("svg")?.getAttribute("aria-hidden")).toBe("true");
  });
});
