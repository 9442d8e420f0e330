import { editMessage } from "@messageoh/contracts/changes";
import { CHANGED_MEANWHILE } from "@messageoh/contracts/errorTexts";
import { received, refuse } from "@messageoh/contracts/testing/httpServer";
import { setDesktop } from "@messageoh/ui-kit/testing/layout";
import { screen, waitFor, within } from "@testing-library/react";
import { fromMe } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
  data.messages[1] = fromMe({ seq: 2, text: "Gladly", timestamp: new Date(Date.now() - 7_200_000).toISOString() });
  localStorage.clear();
});
afterEach(() => setDesktop(true));

const composer = () => screen.findByLabelText<HTMLTextAreaElement>("Message...");
const edits = () => received.filter(({ method, path }) => method === "PUT" && path.startsWith("/messages/"));

describe("editing a message", () => {
  it("puts the text into the composer, and saves it on Enter", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await user.type(await composer(), "a draft");
    await choose(user, "Gladly", "Edit");
    expect(screen.getByText("Edit message")).toBeTruthy();
    const field = await composer();
    expect([field.value, document.activeElement]).toEqual(["Gladly", field]);
    await user.type(field, "!{Enter}");
    const row = await rowWith("Gladly!");
    expect(within(row).getByRole("button", { name: "Edited" })).toBeTruthy();
    expect([field.value, screen.queryByText("Edit message")]).toEqual(["a draft", null]);
    await waitFor(() => expect(edits()).toMatchObject([{ body: { text: "Gladly!", base: 0 } }]));
  });

  it.each(["{Escape}", "{Enter}"])("changes nothing on %s without a change, and returns the draft", async (key) => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    await user.type(await composer(), "a draft");
    await choose(user, "Gladly", "Edit");
    await user.keyboard(key);
    expect((await composer()).value).toBe("a draft");
    expect([screen.queryByText("Edit message"), edits(), shell.path]).toEqual([null, [], "/home/bob"]);
    expect(within(await rowWith("Gladly")).queryByRole("button", { name: "Edited" })).toBeNull();
  });

  it("begins with the newest own message on the up arrow in an empty composer, and ends with its button", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await rowWith("Gladly");
    await user.click(await composer());
    await user.keyboard("{ArrowUp}");
    expect((await composer()).value).toBe("Gladly");
    await user.click(screen.getByRole("button", { name: "Cancel edit" }));
    expect((await composer()).value).toBe("");
  });

  it("is not offered a day later", async () => {
    data.messages[1] = fromMe({ seq: 2, text: "Gladly", timestamp: new Date(Date.now() - 86_400_000).toISOString() });
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(within(await rowWith("Gladly")).getByRole("button", { name: "Message actions" }));
    expect(screen.queryByRole("menuitem", { name: "Edit" })).toBeNull();
  });

  it("keeps the text as a draft if another device was faster, and says so", async () => {
    server.use(refuse(editMessage, 409, CHANGED_MEANWHILE));
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Edit");
    await user.keyboard("!{Enter}");
    expect(await screen.findByText(CHANGED_MEANWHILE)).toBeTruthy();
    expect((await composer()).value).toBe("Gladly!");
    expect(await rowWith("Gladly")).toBeTruthy();
  });

  it("says that it was refused when its thread is opened next, and only then", async () => {
    server.use(refuse(editMessage, 409, CHANGED_MEANWHILE));
    const { user, setOnline } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Edit");
    await setOnline(false);
    await user.keyboard("!{Enter}");
    await user.click(screen.getByRole("link", { name: /^Cleo/ }));
    await setOnline(true);
    await screen.findByRole("link", { name: /^Bob.*Draft/ });
    expect(screen.queryByText(CHANGED_MEANWHILE)).toBeNull();
    await user.click(screen.getByRole("link", { name: /^Bob/ }));
    expect(await screen.findByText(CHANGED_MEANWHILE)).toBeTruthy();
    await user.click(screen.getByRole("link", { name: /^Cleo/ }));
    await user.click(screen.getByRole("link", { name: /^Bob/ }));
    await rowWith("Gladly");
    expect(screen.queryByText(CHANGED_MEANWHILE)).toBeNull();
  });

  it("edits a message that is not sent yet where it waits", async () => {
    const { user, connect, payloads } = renderChat({ path: "/home/cleo" });
    await user.type(await composer(), "Helo{Enter}");
    await choose(user, "Helo", "Edit");
    await user.keyboard("{Control>}a{/Control}Hello{Enter}");
    expect(within(await rowWith("Hello")).queryByRole("button", { name: "Edited" })).toBeNull();
    await connect();
    await waitFor(() => expect(payloads("send_message")).toMatchObject([{ text: "Hello" }]));
  });

  it("edits a message that was sent meanwhile", async () => {
    const { user, connect, payloads } = renderChat({ path: "/home/bob", lastSeq: 3 });
    await user.type(await composer(), "Helo{Enter}");
    await choose(user, "Helo", "Edit");
    await connect();
    await waitFor(() => expect(payloads("send_message")).toMatchObject([{ text: "Helo" }]));
    await user.keyboard("{Control>}a{/Control}Hello{Enter}");
    expect(await rowWith("Hello")).toBeTruthy();
    await waitFor(() =>
      expect(edits()).toMatchObject([{ path: expect.stringMatching(/4$/), body: { text: "Hello" } }]),
    );
  });

  it("keeps the text in the composer while the message is on its way", async () => {
    const sent = Promise.withResolvers<void>();
    const { user, connect } = renderChat({ path: "/home/bob", lastSeq: 3, sent: sent.promise });
    await user.type(await composer(), "Helo{Enter}");
    await choose(user, "Helo", "Edit");
    await connect();
    await user.keyboard("{Control>}a{/Control}Hello{Enter}");
    expect(await screen.findByText("The message is already on its way")).toBeTruthy();
    expect((await composer()).value).toBe("Hello");
    sent.resolve();
    await waitFor(async () => {
      await user.keyboard("{Enter}");
      expect(edits()).toMatchObject([{ body: { text: "Hello" } }]);
    });
  });

  it("begins with the message that is on its way on the up arrow, not with an older one", async () => {
    const { user, connect, payloads } = renderChat({ path: "/home/bob", lastSeq: 3, sent: new Promise(() => {}) });
    await user.type(await composer(), "Helo{Enter}");
    await connect();
    await waitFor(() => expect(payloads("send_message")).toMatchObject([{ text: "Helo" }]));
    await user.keyboard("{ArrowUp}");
    expect((await composer()).value).toBe("Helo");
  });

  it("ends when the message is deleted before it was sent, and returns the draft", async () => {
    const { user } = renderChat({ path: "/home/cleo" });
    await user.type(await composer(), "Helo{Enter}a draft");
    await choose(user, "Helo", "Edit");
    await choose(user, "Helo", "Delete");
    expect((await composer()).value).toBe("a draft");
    expect(screen.queryByText("Edit message")).toBeNull();
  });

  it("ends when another device deletes the message, and returns the draft", async () => {
    const { user, receive } = renderChat({ path: "/home/bob" });
    await user.type(await composer(), "a draft");
    await choose(user, "Gladly", "Edit");
    await user.keyboard("!");
    const gone = { text: "deleted", deleted_at: new Date().toISOString(), change: 1 };
    await receive((handlers) => handlers.message_changed({ message: { ...fromMe({ seq: 2 }), ...gone } }));
    expect((await composer()).value).toBe("a draft");
    expect(screen.queryByText("Edit message")).toBeNull();
  });

  it("goes on with the typed text when the deletion of its message is taken back", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await user.type(await composer(), "a draft");
    await choose(user, "Gladly", "Edit");
    await user.keyboard(", Bob");
    await choose(user, "Gladly", "Delete");
    await user.click(await screen.findByRole("button", { name: "Delete for me" }));
    expect((await composer()).value).toBe("a draft");
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect((await composer()).value).toBe("Gladly, Bob");
    expect(screen.getByText("Edit message")).toBeTruthy();
    await choose(user, "Gladly", "Edit");
    await user.click(screen.getByRole("button", { name: "Cancel edit" }));
    await choose(user, "Gladly", "Edit");
    expect((await composer()).value).toBe("Gladly");
  });

  it("goes on with the typed text when its thread was left, and begins anew after its end", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Edit");
    await user.keyboard("!");
    await choose(user, "Gladly", "Edit");
    await user.click(screen.getByRole("link", { name: /^Cleo/ }));
    await screen.findByText("No messages here yet...");
    expect((await composer()).value).toBe("");
    await user.click(screen.getByRole("link", { name: /^Bob/ }));
    expect((await composer()).value).toBe("Gladly!");
    expect(screen.getByText("Edit message")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel edit" }));
    await choose(user, "Gladly", "Edit");
    expect((await composer()).value).toBe("Gladly");
  });

  it("does not open a phone's keyboard when its thread is opened again", async () => {
    setDesktop(false);
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Edit");
    await user.click(screen.getByRole("button", { name: "Back" }));
    await user.click(await screen.findByRole("link", { name: /^Bob/ }));
    expect(await screen.findByText("Edit message")).toBeTruthy();
    expect(document.activeElement).not.toBe(await composer());
  });

  it("shows all texts of a message", async () => {
    data.messages[1] = { ...fromMe({ seq: 2, text: "Gladly" }), edit_count: 1, edited_at: new Date().toISOString() };
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(within(await rowWith("Gladly")).getByRole("button", { name: "Edited" }));
    const dialog = await screen.findByRole("dialog", { name: "Edit history" });
    const items = await within(dialog).findAllByRole("listitem");
    expect(items.map((item) => item.querySelector("time + *")?.textContent)).toEqual(["First text", "Gladly"]);
  });
});
