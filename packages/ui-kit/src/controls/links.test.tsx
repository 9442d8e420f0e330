import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { LinkButton } from "./LinkButton.tsx";
import { onPlainClick } from "./onPlainClick.ts";
import { TextLink } from "./TextLink.tsx";

describe("LinkButton", () => {
  it("has the role of a button and the URL of a link", () => {
    render(<LinkButton href="/login">Log in</LinkButton>);
    expect(screen.getByRole("button", { name: "Log in" }).getAttribute("href")).toBe("/login");
  });

  it.each(["{Enter}", " "])("acts on the key %j like a button", async (key) => {
    const go = jest.fn();
    render(
      <LinkButton href="/login" onClick={onPlainClick(go)}>
        Log in
      </LinkButton>,
    );
    await userEvent.tab();
    await userEvent.keyboard(key);
    expect(go).toHaveBeenCalledTimes(1);
  });
});

describe("onPlainClick", () => {
  it.each(["Control", "Meta", "Shift", "Alt"])("leaves a click with %s to the browser", async (key) => {
    const go = jest.fn();
    const user = userEvent.setup();
    render(
      <TextLink href="#there" onClick={onPlainClick(go)}>
        There
      </TextLink>,
    );
    await user.keyboard(`{${key}>}`);
    await user.click(screen.getByRole("link", { name: "There" }));
    await user.keyboard(`{/${key}}`);
    expect(go).not.toHaveBeenCalled();
    await user.click(screen.getByRole("link", { name: "There" }));
    expect(go).toHaveBeenCalledTimes(1);
  });
});
