import { screen, within } from "@testing-library/react";
import { renderChat } from "../../../testing/renderChat.tsx";
import { startChatServer } from "../../../testing/server.ts";

startChatServer();
afterEach(() => localStorage.clear());

const composer = () => screen.findByLabelText<HTMLTextAreaElement>("Message...");
const sendButton = () => screen.getByRole("button", { name: "Send" });
const alerts = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

async function opened() {
  const chat = renderChat({ path: "/home/cleo" });
  const field = await composer();
  await screen.findByText("No messages here yet...");
  await chat.connect();
  return { ...chat, field, texts: () => chat.payloads("send_message").map((sent) => (sent as { text: string }).text) };
}

describe("composer", () => {
  it("sends on Enter and clears the text; Shift+Enter inserts a line break", async () => {
    const { user, field, texts } = await opened();
    await user.type(field, "first line{Shift>}{Enter}{/Shift}second line");
    expect(field.value).toBe("first line\nsecond line");
    expect(texts()).toEqual([]);
    await user.keyboard("{Enter}");
    expect(field.value).toBe("");
    const log = await screen.findByRole("log");
    expect(await within(log).findAllByRole("article")).toHaveLength(1);
    expect(texts()).toEqual(["first line\nsecond line"]);
  });

  it("sends with its button and keeps the focus", async () => {
    const { user, field, texts } = await opened();
    await user.type(field, "by the button");
    const handleBlur = jest.fn();
    field.addEventListener("blur", handleBlur);
    await user.click(sendButton());
    expect(await within(await screen.findByRole("log")).findByText("by the button")).toBeTruthy();
    expect(field.value).toBe("");
    expect(document.activeElement).toBe(field);
    // Without the focus, even for a moment, a phone hides its keyboard.
    expect(handleBlur).not.toHaveBeenCalled();
    expect(texts()).toEqual(["by the button"]);
  });

  it.each([
    ["{Control>}b{/Control}", "*"],
    ["{Control>}i{/Control}", "_"],
    ["{Control>}{Shift>}x{/Shift}{/Control}", "~"],
  ])("puts marks around the selected text on %s, and removes them again", async (keys, mark) => {
    const { user, field } = await opened();
    await user.type(field, "see you soon");
    field.setSelectionRange(4, 7);
    await user.keyboard(keys);
    expect(field.value).toBe(`see ${mark}you${mark} soon`);
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe("you");
    await user.keyboard(keys);
    expect(field.value).toBe("see you soon");
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe("you");
  });

  it("puts no white space between marks, and removes the marks that are selected", async () => {
    const { user, field } = await opened();
    await user.type(field, "see you soon");
    field.setSelectionRange(3, 8);
    await user.keyboard("{Control>}b{/Control}");
    expect(field.value).toBe("see *you* soon");
    field.setSelectionRange(4, 9);
    await user.keyboard("{Control>}b{/Control}");
    expect(field.value).toBe("see you soon");
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe("you");
  });

  it("does not send an empty message", async () => {
    const { user, field, texts } = await opened();
    for (const text of ["", "   ", "{Shift>}{Enter}{Enter}{/Shift}"]) {
      await user.clear(field);
      if (text !== "") await user.type(field, text);
      await user.keyboard("{Enter}");
      await user.click(sendButton());
    }
    await user.clear(field);
    await user.type(field, "a real one{Enter}");
    const log = await screen.findByRole("log");
    expect(await within(log).findAllByRole("article")).toHaveLength(1);
    expect(texts()).toEqual(["a real one"]);
  });

  it("shows the character count near the limit, and rejects a text beyond it", async () => {
    const { user, field, texts } = await opened();
    await user.click(field);
    await user.paste("x".repeat(3_999));
    expect(screen.getByText("3,999 / 4,000")).toBeTruthy();
    expect(alerts()).toEqual([]);
    await user.paste("yz");
    expect(alerts()).toEqual(["A message has at most 4,000 characters"]);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await user.keyboard("{Enter}");
    expect(texts()).toEqual([]);
    await user.keyboard("{Backspace}{Enter}");
    expect(texts()).toEqual([`${"x".repeat(3_999)}y`]);
  });

  it("keeps a draft per thread", async () => {
    const { user, field } = await opened();
    await user.type(field, "for Cleo");
    await user.click(screen.getByRole("link", { name: /^Bob/ }));
    expect((await composer()).value).toBe("");
    await user.click(screen.getByRole("link", { name: /^Cleo/ }));
    expect((await composer()).value).toBe("for Cleo");
  });

  it("notifies the friend of typing, and of its end with the message", async () => {
    const { user, field, payloads } = await opened();
    await user.type(field, "Hi{Enter}");
    expect(payloads("typing")).toEqual([
      { thread_id: "with-cleo", is_typing: true },
      { thread_id: "with-cleo", is_typing: false },
    ]);
  });
});
