import { screen, within } from "@testing-library/react";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

startChatServer();

async function settings() {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "Settings" }));
  return { ...chat, dialog: within(screen.getByRole("dialog", { name: "Settings" })) };
}

describe("settings", () => {
  it("open each part above them, and get the focus back", async () => {
    const { user, dialog } = await settings();
    const rows = within(dialog.getByRole("list")).getAllByRole("button");
    const names = rows.map(({ firstElementChild }) => firstElementChild?.nextElementSibling?.firstChild?.textContent);
    expect(names).toEqual([
      "My account",
      "Change password",
      "Sessions",
      "Notifications",
      "Privacy",
      "Storage",
      "Keyboard shortcuts",
    ]);
    for (const name of names) {
      const row = dialog.getByRole("button", { name: name ?? "" });
      await user.click(row);
      await screen.findByRole("dialog", { name: name ?? "" });
      await user.keyboard("{Escape}");
      expect(screen.queryByRole("dialog", { name: name ?? "" })).toBeNull();
      expect(document.activeElement).toBe(row);
    }
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("close when a thread opens under them, as a click on a notification does", async () => {
    const { shell, user } = await settings();
    // Nothing of the page is inert here.
    await user.click(screen.getByRole("link", { name: /Bob/ }));
    expect(shell.path).toBe("/home/bob");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("offer themes, colours, backgrounds and directions, and keep the choices in this browser", async () => {
    const { user, dialog } = await settings();
    const theme = within(dialog.getByRole("group", { name: "Theme" }));
    const radio = (name: string) => theme.getByRole<HTMLInputElement>("radio", { name });
    expect(radio("Like the system").checked).toBe(true);
    await user.click(radio("Dark"));
    expect(radio("Dark").checked).toBe(true);
    expect(localStorage.getItem("messageoh:theme")).toBe("dark");
    await user.click(radio("Like the system"));
    expect(radio("Dark").checked).toBe(false);
    expect(localStorage.getItem("messageoh:theme")).toBeNull();
    await user.click(dialog.getByRole("radio", { name: "Violet" }));
    const backgrounds = within(dialog.getByRole("group", { name: "Background of the threads" }));
    expect(backgrounds.getAllByRole("radio")).toHaveLength(6);
    expect(backgrounds.getByRole<HTMLInputElement>("radio", { name: "Plain" }).checked).toBe(true);
    await user.click(backgrounds.getByRole("radio", { name: "Dots" }));
    await user.click(dialog.getByRole("radio", { name: "Right to left" }));
    expect(localStorage.getItem("messageoh:accent")).toBe("violet");
    expect(localStorage.getItem("messageoh:background")).toBe("dots");
    expect(localStorage.getItem("messageoh:direction")).toBe("rtl");
  });
});
