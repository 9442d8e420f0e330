import { ApiError } from "@messageoh/contracts/client";
import { CHANGED_MEANWHILE, MESSAGE_DELETED } from "@messageoh/contracts/errorTexts";
import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { aMessage, ME, WITH_BOB } from "../testing/builders.ts";
import type { PendingChange } from "./pending/pendingChange.ts";
import { createPendingStorage } from "./pending/pendingStorage.ts";
import { composingOf, type Edit } from "./state/thread/composing.ts";
import type { Thread } from "./state/thread/thread.ts";

describe("changes of messages", () => {
  fakeTimersWithoutWarnings();

  async function opened() {
    const chat = aChat({ friendId: "bob" });
    await chat.begin();
    await chat.connect();
    const texts = () => chat.now().active?.thread.messages.map(({ text }) => text);
    return { ...chat, texts };
  }

  it("by the friend are shown at once", async () => {
    const { handlers, texts } = await opened();
    handlers().message_changed({ message: aMessage({ seq: 2, change: 1, text: "Edited" }) });
    expect(texts()).toEqual(["Text 1", "Edited", "Text 3"]);
  });

  it("of strangers are ignored", async () => {
    const { chat, handlers } = await opened();
    const before = chat.store.get();
    handlers().message_changed({ message: aMessage({ sending_user_id: "eve", recipient_user_id: "dan", change: 1 }) });
    expect(chat.store.get()).toBe(before);
  });

  it("that were missed are fetched after a pause in which they may arrive", async () => {
    const { handlers, server, texts } = await opened();
    server.calls = [];
    server.changed = [aMessage({ seq: 1, change: 1, text: "First" }), aMessage({ seq: 2, change: 2, text: "Second" })];
    handlers().message_changed({ message: aMessage({ seq: 2, change: 2, text: "Second" }) });
    await settle(250);
    expect(server.calls).toEqual(["threads", "changes after 0"]);
    expect(texts()).toEqual(["First", "Second", "Text 3"]);
  });

  it("by the user wait for the network, are shown meanwhile, and are sent in their order", async () => {
    const { chat, listeners, page, server, texts } = await opened();
    page.isOnline = false;
    listeners().onNetwork();
    chat.changes.react("with-bob", 1, "👍");
    chat.changes.deleteForBoth("with-bob", 2);
    expect(texts()).toEqual(["Text 1", "Message deleted", "Text 3"]);
    await settle();
    server.calls = [];
    page.isOnline = true;
    listeners().onNetwork();
    await settle();
    expect(server.calls.filter((call) => call !== "threads")).toEqual(["react 1 👍", "delete 2"]);
  });

  it("by another tab while this one was suspended are shown and sent when it wakes up", async () => {
    const { chat, listeners, server, storage, texts } = await opened();
    const change: PendingChange = { kind: "delete", thread_id: WITH_BOB, seq: 2, op_id: "op", queued_at: 1 };
    createPendingStorage(ME.id, storage).write(change);
    listeners().onWake();
    expect(texts()).toEqual(["Text 1", "Message deleted", "Text 3"]);
    await settle();
    expect([server.calls.includes("delete 2"), chat.store.get().pending]).toEqual([true, []]);
  });

  it("of a message that was given up meanwhile say so, and keep the text", async () => {
    const { chat, begin, connect, now, server } = aChat({ friendId: "bob" });
    server.ack = () => ({ error: "You can only write to your friends", is_retryable: false });
    await begin();
    chat.messages.send(WITH_BOB, "Helo");
    expect(chat.changes.editLast(WITH_BOB)).toBe(true);
    const { composing } = chat.store.get().threads.get(WITH_BOB) as Thread;
    await connect();
    await settle();
    expect(now().active?.thread.messages.at(-1)?.sendState).toBe("not-sent");
    chat.changes.edit(WITH_BOB, composing as Edit, "Hello");
    expect(chat.store.get().notices.get(WITH_BOB)?.text).toBe("The message was not sent. Try to send it again first");
    expect(chat.store.get().threads.get(WITH_BOB)?.composing).toBe(composing);
  });

  it("hide a message from the user, without a network too, and show it again", async () => {
    const { chat, listeners, page, server, texts } = await opened();
    page.isOnline = false;
    listeners().onNetwork();
    chat.changes.startReply("with-bob", 2);
    chat.changes.hide("with-bob", 2, true);
    expect(texts()).toEqual(["Text 1", "Text 3"]);
    const thread = chat.store.get().threads.get("with-bob");
    expect(thread && composingOf(thread)).toBeNull();
    page.isOnline = true;
    listeners().onNetwork();
    await settle();
    expect(chat.store.get().pending).toEqual([]);
    expect(texts()).toEqual(["Text 1", "Text 3"]);
    chat.changes.hide("with-bob", 2, false);
    await settle();
    expect(texts()).toEqual(["Text 1", "Text 2", "Text 3"]);
    expect(server.calls.filter((call) => call.startsWith("hide"))).toEqual(["hide 2 true", "hide 2 false"]);
  });

  it("hide a message that the user hides on another device, whatever an earlier list says", async () => {
    const { handlers, listeners, server, texts } = await opened();
    const held = Promise.withResolvers<void>();
    server.held = held.promise;
    listeners().onNetwork();
    await settle(1_000);
    handlers().message_hidden({ thread_id: "with-bob", seq: 2, hidden: true });
    expect(texts()).toEqual(["Text 1", "Text 3"]);
    held.resolve();
    await settle(1_000);
    expect(texts()).toEqual(["Text 1", "Text 3"]);
  });

  it("pin and star a message, without a network too", async () => {
    const { chat, listeners, now, page, server } = await opened();
    const marks = () => now().active?.thread.messages.map(({ isPinned, isStarred }) => [isPinned, isStarred]);
    page.isOnline = false;
    listeners().onNetwork();
    chat.changes.pin(WITH_BOB, 1, true);
    chat.changes.star(WITH_BOB, 3, true);
    const expected = [
      [true, undefined],
      [undefined, undefined],
      [undefined, true],
    ];
    expect(marks()).toEqual(expected);
    page.isOnline = true;
    listeners().onNetwork();
    await settle();
    expect(server.calls.filter((call) => /^(?:pin|star) /.test(call))).toEqual(["pin 1 true", "star 3 true"]);
    expect([chat.store.get().pending, marks()?.[2]]).toEqual([[], [undefined, true]]);
  });

  it("star a message that the user stars on another device, whatever an earlier list says", async () => {
    const { handlers, listeners, now, server } = await opened();
    const held = Promise.withResolvers<void>();
    server.held = held.promise;
    listeners().onNetwork();
    await settle(1_000);
    handlers().message_starred({ thread_id: WITH_BOB, seq: 2, starred: true });
    held.resolve();
    await settle(1_000);
    expect(now().active?.thread.messages.find(({ isStarred }) => isStarred)?.seq).toBe(2);
  });

  it("that the server refuses are taken back with its reason", async () => {
    const { chat, server, texts } = await opened();
    chat.api.saveChange = async () => {
      throw new ApiError(403, "You can only delete your own messages");
    };
    chat.changes.deleteForBoth("with-bob", 2);
    await settle();
    expect(texts()).toEqual(["Text 1", "Text 2", "Text 3"]);
    expect(chat.store.get().notices.get(WITH_BOB)).toMatchObject({ text: "You can only delete your own messages" });
    expect(server.isUp).toBe(true);
  });

  it.each([
    ["put it behind the draft if they come too late", 403, "A message can be edited for 24 hours", "A draft\nEdited"],
    ["put it behind the draft if another device was faster", 409, CHANGED_MEANWHILE, "A draft\nEdited"],
    ["forget it if the message was deleted", 409, MESSAGE_DELETED, "A draft"],
  ])("that replace a text %s", async (_, status, reason, draft) => {
    const { chat } = await opened();
    chat.messages.saveDraft(WITH_BOB, "A draft");
    chat.api.saveChange = async () => {
      throw new ApiError(status, reason);
    };
    chat.changes.edit(WITH_BOB, { kind: "edit", key: "bob 1", seq: 1, text: "Text 1", base: 0 }, "Edited");
    await settle();
    expect(chat.messages.draftOf(WITH_BOB)).toBe(draft);
    expect(chat.store.get().notices.get(WITH_BOB)).toMatchObject({ text: reason });
  });
});
