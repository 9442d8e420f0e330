import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { PasswordField } from "./PasswordField.tsx";
import { TextField } from "./TextField.tsx";

describe("TextField", () => {
  it.each([false, true])("has its label as name, visible or hidden (%s)", (isQuiet) => {
    render(<TextField label="Username" isQuiet={isQuiet} />);
    expect(screen.getByLabelText("Username")).toBe(screen.getByRole("textbox", { name: "Username" }));
  });

  it("has its error as description, in a live region", () => {
    const { rerender } = render(<TextField label="Username" aria-describedby="form-error" />);
    const field = screen.getByRole("textbox");
    expect([field.getAttribute("aria-invalid"), field.getAttribute("aria-describedby")]).toEqual([null, "form-error"]);
    rerender(<TextField label="Username" aria-describedby="form-error" error="Too long" />);
    const error = screen.getByText("Too long");
    expect(error.getAttribute("aria-live")).toBe("polite");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(field.getAttribute("aria-describedby")).toBe(`form-error ${error.id}`);
  });

  it("is invalid without an error text while it is missing", () => {
    render(<TextField label="Username" isMissing />);
    expect(screen.getByRole("textbox").getAttribute("aria-invalid")).toBe("true");
    expect(document.querySelector("[aria-live]")?.textContent).toBe("");
  });
});

describe("PasswordField", () => {
  it("toggles the visibility of the password and keeps its value", async () => {
    render(<PasswordField label="Password" />);
    const field = screen.getByLabelText<HTMLInputElement>("Password");
    await userEvent.type(field, "secret");
    expect(field.type).toBe("password");
    const toggle = screen.getByRole("button", { name: "Show password" });
    await userEvent.click(toggle);
    expect(field.type).toBe("text");
    // With "pressed", the name would say the opposite of the state.
    expect([screen.getByRole("button", { name: "Hide password" }), toggle.ariaPressed]).toEqual([toggle, null]);
    await userEvent.click(toggle);
    expect([field.type, field.value]).toEqual(["password", "secret"]);
  });
});
