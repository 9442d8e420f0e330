import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { renderChat } from "../../../testing/renderChat.tsx";
import { startChatServer } from "../../../testing/server.ts";

startChatServer();
beforeEach(() => localStorage.clear());

const button = () => screen.getByRole("button", { name: "Emoji" });
const picker = () => screen.findByRole("dialog", { name: "Emoji" });

async function opened() {
  const chat = renderChat({ path: "/home/cleo" });
  const composer = await screen.findByLabelText<HTMLTextAreaElement>("Message...");
  await chat.user.type(composer, "Hello world");
  act(() => composer.setSelectionRange(5, 5));
  await chat.user.click(button());
  return { ...chat, composer, emoji: within(await picker()) };
}

describe("emoji picker", () => {
  it("inserts emoji at the caret and stays open", async () => {
    const { user, composer, emoji } = await opened();
    await user.click(emoji.getByRole("button", { name: "grinning face" }));
    await user.click(emoji.getByRole("button", { name: "grinning face with big eyes" }));
    expect(composer.value).toBe("Hello😀😃 world");
    expect(button().getAttribute("aria-expanded")).toBe("true");
  });

  it("finds emoji by name, and inserts the first one on Enter without sending", async () => {
    const { user, composer, emoji, payloads } = await opened();
    await waitFor(() => expect(document.activeElement).toBe(emoji.getByRole("textbox", { name: "Search emoji" })));
    await user.keyboard("fox{Enter}");
    expect(composer.value).toBe("Hello🦊 world");
    expect(payloads("send_message")).toEqual([]);
    await user.keyboard("qzqz");
    expect(await emoji.findByText("No emoji found")).toBeTruthy();
  });

  it("closes when the focus moves elsewhere, which it would cover", async () => {
    const { composer } = await opened();
    act(() => composer.focus());
    expect(screen.queryByRole("dialog", { name: "Emoji" })).toBeNull();
  });

  it("is used by keyboard: arrows move, Enter inserts, Esc closes and leaves the thread open", async () => {
    const { user, composer, shell } = await opened();
    await user.keyboard("{ArrowDown}{ArrowRight}{Enter}");
    expect(composer.value).toBe("Hello😃 world");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog", { name: "Emoji" })).toBeNull();
    expect(document.activeElement).toBe(composer);
    expect(shell.path).toBe("/home/cleo");
  });

  it("moves to the left on the left arrow when the page is read from right to left", async () => {
    document.documentElement.dir = "rtl";
    const { user, composer } = await opened();
    await user.keyboard("{ArrowDown}{ArrowLeft}{ArrowRight}{ArrowLeft}{Enter}");
    document.documentElement.dir = "";
    expect(composer.value).toBe("Hello😃 world");
  });

  it.each(["Enter", "Escape", "ArrowDown"])("leaves %s to an input method that composes a word", async (key) => {
    const { user, composer, emoji } = await opened();
    await user.type(emoji.getByRole("textbox", { name: "Search emoji" }), "fox");
    fireEvent.keyDown(emoji.getByRole("textbox"), { key, isComposing: true });
    expect(composer.value).toBe("Hello world");
    expect(document.activeElement).toBe(emoji.getByRole("textbox"));
    expect(screen.queryByRole("dialog", { name: "Emoji" })).not.toBeNull();
  });

  it("offers the recent emoji first", async () => {
    const { user, emoji } = await opened();
    await user.click(emoji.getByRole("button", { name: "Animals" }));
    await user.click(emoji.getByRole("button", { name: "fox" }));
    await user.click(button());
    await user.click(button());
    const again = within(await picker());
    expect(again.getByRole("button", { name: "Recent" }).getAttribute("aria-pressed")).toBe("true");
    expect(again.getByRole("button", { name: "fox" })).toBeTruthy();
    expect(again.queryByRole("button", { name: "grinning face" })).toBeNull();
  });

  it("closes on a press elsewhere", async () => {
    const { user } = await opened();
    await user.click(screen.getByRole("heading", { name: "Cleo" }));
    expect(screen.queryByRole("dialog", { name: "Emoji" })).toBeNull();
  });
});
