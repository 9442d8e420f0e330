import { aChat, DAN, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { aMessage, aStoredThread, BOB, CLEO, fromMe, messagesBetween, timeOf, WITH_BOB } from "../testing/builders.ts";
import type { Device } from "./offline/database.ts";
import type { StoredChat } from "./offline/storedChat.ts";

const SEEN = aStoredThread();
const STORED: StoredChat = { friends: [BOB], threads: [SEEN] };

function aDevice(stored: StoredChat | null): Device & { saved: Parameters<Device["save"]>[] } {
  const saved: Parameters<Device["save"]>[] = [];
  return {
    saved,
    read: async () => stored,
    async save(...data) {
      saved.push(data);
    },
  };
}

/** Returns a chat that was opened while the server does not respond. */
async function openedOffline(stored: StoredChat | null = STORED, friendId?: string) {
  const storage = aDevice(stored);
  const chat = aChat({ friendId, device: { storage, isUnconfirmed: true } });
  chat.server.isUp = false;
  await chat.begin();
  return { ...chat, storage };
}

describe("a chat that is opened while the server does not respond", () => {
  fakeTimersWithoutWarnings();

  it("shows the friends, messages and unread counts that the device stores", async () => {
    const { now, server } = await openedOffline();
    expect(now()).toMatchObject({ status: "ready", isFromDevice: true, totalUnread: 1 });
    expect(now().friends[0]).toMatchObject({ friend: BOB, thread: { isLoaded: true, hasOlder: false } });
    expect(now().friends[0]?.thread.messages.map(({ text }) => text)).toEqual(["Text 1", "Text 2", "Text 3"]);
    expect(server.calls).not.toContain("page after 0");
  });

  it("reports a failure to load if the device stores nothing", async () => {
    const { now } = await openedOffline(null);
    expect(now()).toMatchObject({ status: "failed", isFromDevice: false });
  });

  it("requests no history of the open thread", async () => {
    const { chat, now, server } = await openedOffline(STORED, "bob");
    await chat.messages.loadOlder(WITH_BOB);
    expect(now().active?.thread).toMatchObject({ isLoaded: true, loadError: false, unreadCount: 0 });
    expect(server.calls.filter((call) => call.startsWith("page"))).toEqual([]);
  });

  it("goes to the first stored message from a time on, without a request", async () => {
    const { chat, now, server } = await openedOffline(STORED, "bob");
    server.calls = [];
    const found = await chat.findFrom(WITH_BOB, new Date(timeOf(2)));
    await chat.jumpToMessage({ thread_id: WITH_BOB, seq: found?.seq ?? 0 });
    expect(now().jump).toMatchObject({ key: "with-bob-2" });
    expect(await chat.findFrom(WITH_BOB, new Date(timeOf(4)))).toBeUndefined();
    expect(server.calls).toEqual([]);
  });

  it("searches the stored messages, newest first, in all threads or in one", async () => {
    const { chat, server } = await openedOffline();
    const { signal } = new AbortController();
    const found = await chat.search.messages("TEXT", null, signal);
    expect(found).toMatchObject({ items: [{ seq: 3 }, { seq: 2 }, { seq: 1 }], last: null });
    expect(await chat.search.messages("text", null, signal, "with-cleo")).toEqual({ items: [], last: null });
    expect(server.calls).not.toContain("searchMessages");
  });

  it("searches as the server does: the two small letters of Σ are the same", async () => {
    const stored = aStoredThread([aMessage({ seq: 1, text: "ΔΙΑΣΧΙΖΩ ΤΗΝ ΟΔΟΣ" })]);
    const { chat } = await openedOffline({ friends: [BOB], threads: [stored] });
    const { signal } = new AbortController();
    for (const text of ["διας", "οδοσ"]) {
      expect(await chat.search.messages(text, null, signal)).toMatchObject({ items: [{ seq: 1 }] });
    }
  });

  it("sends what was written, and replaces everything by the data of the server, after a connection", async () => {
    const { chat, now, server, connect } = await openedOffline(STORED, "bob");
    chat.messages.send(WITH_BOB, "written offline");
    await settle(6 * 3_600_000);
    expect(now().active?.thread.messages.at(-1)).toMatchObject({ text: "written offline", sendState: "sending" });
    server.isUp = true;
    server.last = 5;
    server.read = 5;
    server.ack = (text, client_id) => ({ message: fromMe({ seq: 6, text, client_id }) });
    await connect();
    await settle();
    expect(now()).toMatchObject({ status: "ready", isFromDevice: false });
    expect(
      now()
        .friends.map(({ friend }) => friend.name)
        .sort(),
    ).toEqual([BOB.name, CLEO.name]);
    const texts = now().active?.thread.messages.map(({ text }) => text);
    expect(texts).toEqual(["Text 1", "Text 2", "Text 3", "Text 4", "Text 5", "written offline"]);
  });

  it("keeps a message that the server stored after it read the lists that replace the stored data", async () => {
    const { chat, now, server, connect } = await openedOffline(STORED, "bob");
    chat.messages.send(WITH_BOB, "newer than the lists");
    server.isUp = true;
    const lists = Promise.withResolvers<void>();
    server.held = lists.promise;
    server.ack = (text, client_id) => ({ message: fromMe({ seq: 4, text, client_id }) });
    await connect();
    await settle();
    expect(now().isFromDevice).toBe(true);
    lists.resolve();
    await settle();
    expect(now().isFromDevice).toBe(false);
    expect(now().active?.thread.messages.at(-1)).toMatchObject({ text: "newer than the lists", seq: 4 });
  });

  it("keeps what the user has read and begun when the server responds, and tells it what was read", async () => {
    const { chat, now, server, connect } = await openedOffline(STORED, "bob");
    chat.changes.startReply(WITH_BOB, 2);
    Object.assign(server, { isUp: true, read: 1 });
    await connect();
    expect(now()).toMatchObject({ isFromDevice: false, totalUnread: 0 });
    expect(chat.store.get().threads.get(WITH_BOB)).toMatchObject({
      composing: { kind: "reply", seq: 2 },
      newFromSeq: 3,
      newCount: 1,
    });
    expect(server.calls).toContain("read with-bob 3");
  });

  it("keeps a thread read that the user has left before the server responds", async () => {
    const { chat, now, server, connect } = await openedOffline(STORED, "bob");
    chat.openFriend(undefined);
    Object.assign(server, { isUp: true, last: 4, read: 1 });
    await connect();
    expect(now()).toMatchObject({ isFromDevice: false, totalUnread: 1 });
    expect(server.calls).toContain("read with-bob 3");
  });

  it("removes a former friend with the thread, whatever was begun there, when the server responds", async () => {
    const threadId = "with-dan";
    const stored = { friends: [BOB, DAN], threads: [SEEN, { ...SEEN, threadId, friendId: DAN.id }] };
    const { chat, now, server, connect } = await openedOffline(stored, DAN.id);
    chat.changes.startReply(threadId, 2);
    expect(chat.store.get().threads.has(threadId)).toBe(true);
    server.isUp = true;
    await connect();
    expect(now().isFromDevice).toBe(false);
    expect([...chat.store.get().threads.keys()]).toEqual([WITH_BOB, "with-cleo"]);
    expect(server.calls.filter((call) => call.startsWith(`read ${threadId}`))).toEqual([]);
  });

  it("loads when the shell has confirmed the user", async () => {
    const { chat, now, server } = await openedOffline();
    server.isUp = true;
    chat.confirmed();
    await settle();
    expect(now().isFromDevice).toBe(false);
  });

  it("leaves the chat if the server has ended the session", async () => {
    const { reported, server, unauthorised } = await openedOffline();
    Object.assign(server, { isUp: true, status: 401 });
    unauthorised();
    await settle();
    expect(reported).toEqual(["ended"]);
  });
});

describe("a chat that stores what it shows", () => {
  fakeTimersWithoutWarnings();

  it("stores friends and threads after the load, and then the changed threads only", async () => {
    const storage = aDevice(null);
    const { begin, handlers, now } = aChat({ device: { storage, isUnconfirmed: false } });
    await begin();
    await settle(5_000);
    const [friends = [], changed = [], keptIds] = storage.saved[0] ?? [];
    expect(friends.map(({ name }) => name)).toEqual([BOB.name, CLEO.name]);
    expect(changed).toContainEqual(expect.objectContaining({ threadId: WITH_BOB, messages: messagesBetween(3, 3) }));
    expect(keptIds).toEqual(new Set([WITH_BOB, "with-cleo"]));
    const before = storage.saved.length;
    handlers().receive_message(aMessage({ seq: 4 }));
    await settle(5_000);
    expect(now().friends[0]?.thread.lastMessage?.text).toBe("Text 4");
    const later = storage.saved.slice(before).flatMap(([, threads]) => threads.map(({ threadId }) => threadId));
    expect(new Set(later)).toEqual(new Set([WITH_BOB]));
  });

  it("stores nothing after it was stopped", async () => {
    const storage = aDevice(null);
    const { begin, chat } = aChat({ device: { storage, isUnconfirmed: false } });
    await begin();
    chat.stop();
    await settle(5_000);
    expect(storage.saved).toEqual([]);
  });

  it("goes on if the device refuses to store", async () => {
    const storage = { ...aDevice(null), save: () => Promise.reject(new DOMException("full", "QuotaExceededError")) };
    const { begin, now } = aChat({ device: { storage, isUnconfirmed: false } });
    await begin();
    await settle(5_000);
    expect(now().status).toBe("ready");
  });
});
