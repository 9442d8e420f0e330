import { act, screen, waitFor } from "@testing-library/react";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

startChatServer();
beforeEach(() => localStorage.clear());

const friends = () => screen.findByRole("navigation", { name: "Friends" });
const sheet = () => screen.queryByRole("dialog", { name: "Keyboard shortcuts" });

describe("keyboard shortcuts", () => {
  it("are listed on ?, but not while typing", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    const composer = await screen.findByLabelText<HTMLTextAreaElement>("Message...");
    await user.type(composer, "Why?");
    expect(composer.value).toBe("Why?");
    expect(sheet()).toBeNull();
    act(() => composer.blur());
    await user.keyboard("?");
    await waitFor(() => expect(sheet()?.textContent).toContain("Search in the thread"));
    expect(sheet()?.textContent).toContain("BoldCtrlB");
    await user.keyboard("{Escape}");
    expect(sheet()).toBeNull();
  });

  it("are listed in the settings", async () => {
    const { user } = renderChat();
    await friends();
    await user.click(screen.getByRole("button", { name: /account/ }));
    await user.click(screen.getByRole("menuitem", { name: "Settings" }));
    await user.click(screen.getByRole("button", { name: "Keyboard shortcuts" }));
    await waitFor(() => expect(sheet()).not.toBeNull());
  });

  it("open the next and the previous thread on Alt and an arrow", async () => {
    const { user, shell } = renderChat();
    await friends();
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(shell.path).toBe("/home/bob");
    await screen.findByRole("region", { name: "Thread with Bob" });
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(shell.path).toBe("/home/cleo");
    await screen.findByRole("region", { name: "Thread with Cleo" });
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(shell.path).toBe("/home/cleo");
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(shell.path).toBe("/home/bob");
  });

  it("do nothing behind a dialog", async () => {
    const { user, shell } = renderChat();
    await friends();
    await user.keyboard("?");
    await waitFor(() => expect(sheet()).not.toBeNull());
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(shell.path).toBe("/home");
  });
});
