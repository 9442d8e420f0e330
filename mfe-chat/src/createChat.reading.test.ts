import { ApiError } from "@messageoh/contracts/client";
import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { aMessage, ME, timeOf, WITH_BOB } from "../testing/builders.ts";
import { createDrafts } from "./storage/drafts.ts";

describe("a chat that receives", () => {
  fakeTimersWithoutWarnings();

  it("shows a live message, sends a delivery receipt and counts it", async () => {
    const { begin, connect, now, server, handlers } = aChat();
    await begin();
    await connect();
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().totalUnread).toBe(1);
    expect(server.payloads.at(-1)).toEqual({ thread_id: WITH_BOB, seq: 4 });
    expect(server.emitted.at(-1)).toBe("message_delivered");
  });

  it("marks nothing as read if the page was hidden before the chat started", async () => {
    const { begin, connect, now, page, handlers } = aChat({ friendId: "bob" });
    page.isVisible = false;
    await begin();
    await connect();
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().totalUnread).toBe(1);
  });

  it("shows messages above a number that does not exist, and requests that number once", async () => {
    const { begin, connect, now, server, handlers } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    server.calls.length = 0;
    Object.assign(server, { last: 5, absent: [4] });
    handlers().receive_message(aMessage({ seq: 5 }));
    expect(now().active?.thread).toMatchObject({ isGapLoading: true });
    await settle(1_000);
    const shownSeqs = () => now().active?.thread.messages.map((message) => message.seq);
    expect(shownSeqs()).toEqual([1, 2, 3, 5]);
    expect(now().active?.thread).toMatchObject({ isGapLoading: false, unreadCount: 0 });
    expect(server.calls).toContain("read with-bob 5");
    server.last = 6;
    handlers().receive_message(aMessage({ seq: 6 }));
    expect(shownSeqs()).toEqual([1, 2, 3, 5, 6]);
    await settle(1_000);
    expect(server.calls.filter((call) => call.startsWith("page"))).toEqual(["page after 3"]);
  });

  it("goes to the first message from a time on, and says if there is none", async () => {
    const { begin, connect, chat, now, server } = aChat({ friendId: "bob" });
    Object.assign(server, { last: 59, read: 59 });
    await begin();
    await connect();
    const found = await chat.findFrom(WITH_BOB, new Date(timeOf(5)));
    await chat.jumpToMessage({ thread_id: WITH_BOB, seq: found?.seq ?? 0 });
    expect(now().jump).toMatchObject({ key: "with-bob-5" });
    expect(await chat.findFrom(WITH_BOB, new Date(timeOf(60)))).toBeUndefined();
    server.isUp = false;
    await expect(chat.findFrom(WITH_BOB, new Date(timeOf(5)))).rejects.toThrow(ApiError);
  });

  it("loads the open thread with the next poll after a failure, without a new connection", async () => {
    const { begin, connect, chat, now, server } = aChat();
    Object.assign(server, { last: 100, read: 100 });
    await begin();
    await connect();
    server.isUp = false;
    chat.openFriend("bob");
    await settle();
    expect(now().active?.thread).toMatchObject({ loadError: true, isLoaded: false });
    server.isUp = true;
    server.calls.length = 0;
    await settle(40_000);
    expect(now().active?.thread).toMatchObject({ loadError: false, isLoaded: true });
    expect(server.calls.filter((call) => call.startsWith("page"))).toHaveLength(1);
  });

  it("counts messages above a number that does not exist as unread until the thread is opened", async () => {
    const { begin, connect, chat, now, server, handlers } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    chat.openFriend("cleo");
    Object.assign(server, { last: 7, absent: [4, 6] });
    handlers().receive_message(aMessage({ seq: 7 }));
    await settle(1_000);
    expect(now().totalUnread).toBe(2);
    expect(server.payloads.at(-1)).toEqual({ thread_id: WITH_BOB, seq: 7 });
    expect(server.emitted.at(-1)).toBe("message_delivered");
    chat.openFriend("bob");
    await settle();
    expect(now().totalUnread).toBe(0);
    expect(now().active?.thread.messages.map((message) => message.seq)).toEqual([1, 2, 3, 5, 7]);
    expect(server.calls).toContain("read with-bob 7");
  });

  it("opens a thread with missing numbers, including the first", async () => {
    const { begin, now, server } = aChat({ friendId: "bob" });
    Object.assign(server, { last: 8, read: 8, absent: [1, 2, 5] });
    await begin();
    expect(now().active?.thread).toMatchObject({ isLoaded: true, hasOlder: false, isGapLoading: false });
    expect(now().active?.thread.messages.map((message) => message.seq)).toEqual([3, 4, 6, 7, 8]);
    await settle(60_000);
    expect(server.calls.filter((call) => call.startsWith("page"))).toEqual(["page after 0"]);
  });

  it("adds a message whose number was missing when it arrives late", async () => {
    const { begin, connect, now, server, handlers } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    Object.assign(server, { last: 5, absent: [4] });
    handlers().receive_message(aMessage({ seq: 5 }));
    await settle(1_000);
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().active?.thread.messages.map((message) => message.seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it("ignores a message of other users", async () => {
    const { begin, handlers, chat } = aChat();
    await begin();
    const before = chat.store.get();
    handlers().receive_message(aMessage({ sending_user_id: "x", recipient_user_id: "y", seq: 4 }));
    expect(chat.store.get()).toBe(before);
  });

  it("marks a thread read on the server when it is opened", async () => {
    const { begin, server, chat, now } = aChat();
    server.read = 1;
    await begin();
    expect(now().totalUnread).toBe(2);
    chat.openFriend("bob");
    expect(now().totalUnread).toBe(0);
    await settle();
    expect(server.calls).toContain("read with-bob 3");
  });

  it("keeps messages unread while the open thread is covered, and reads them afterwards", async () => {
    const { chat, begin, now, handlers } = aChat({ friendId: "bob" });
    await begin();
    const uncover = chat.realtime.cover();
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().active?.thread.unreadCount).toBe(1);
    uncover();
    expect(now().active?.thread.unreadCount).toBe(0);
  });

  it("marks the friends with a draft, including drafts of an earlier visit", async () => {
    const { chat, begin, now, storage } = aChat();
    createDrafts(ME.id, storage).save("with-cleo", "Earlier");
    await begin();
    const marked = () => now().friends.flatMap(({ friend, hasDraft }) => (hasDraft ? [friend.name] : []));
    expect(marked()).toEqual(["Cleo"]);
    chat.messages.saveDraft(WITH_BOB, "Draft");
    chat.messages.saveDraft("with-cleo", "");
    expect(marked()).toEqual(["Bob"]);
    chat.messages.send(WITH_BOB, "Draft");
    expect(marked()).toEqual([]);
  });

  it("does not send a read marker for messages that are already read", async () => {
    const { begin, server, chat } = aChat();
    await begin();
    chat.openFriend("bob");
    await settle(1000);
    expect(server.calls.some((call) => call.startsWith("read"))).toBe(false);
  });

  it("shows a thread as read if the server cannot be reached, and retries later", async () => {
    const { begin, connect, server, chat, now } = aChat();
    server.read = 1;
    await begin();
    server.isUp = false;
    chat.openFriend("bob");
    await settle(5000);
    expect(now().totalUnread).toBe(0);
    expect(console.warn).toHaveBeenCalled();
    server.isUp = true;
    server.calls.length = 0;
    await connect();
    expect(server.calls).toContain("read with-bob 3");
  });

  it("jumps to a found message in its thread, and again if asked again", async () => {
    const { begin, now, reported, chat } = aChat();
    await begin();
    const jumping = chat.jumpToMessage(aMessage({ seq: 2 }));
    expect(reported).toEqual(["/home/bob"]);
    chat.openFriend("bob");
    await jumping;
    expect(now().jump).toMatchObject({ threadId: WITH_BOB, key: "with-bob-2" });
    const nonce = now().jump?.nonce ?? 0;
    await chat.jumpToMessage(aMessage({ seq: 2 }));
    expect(now().jump?.nonce).toBe(nonce + 1);
    expect(reported).toHaveLength(1);
  });
});
