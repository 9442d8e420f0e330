import { ApiError } from "@messageoh/contracts/client";
import { SENDING_TOO_FAST } from "@messageoh/contracts/errorTexts";
import type { Message } from "@messageoh/contracts/messages";
import { aMessage, aThreadState, BOB, CLEO, fromMe, ME, messagesBetween, WITH_BOB } from "../testing/builders.ts";
import { memoryStorage } from "../testing/memoryStorage.ts";
import { createChat } from "./createChat.ts";
import { type ChatApi, PAGE_LIMIT, type Page } from "./fetching/chatApi.ts";
import type { PageListeners } from "./realtime/page.ts";
import type { ChatSocketOptions } from "./realtime/socket/socket.ts";
import { createDrafts } from "./storage/drafts.ts";

const DAN = { id: "dan", name: "Dan", avatar_id: "bear-id" };

/** Returns a whole chat with test doubles of the server, the socket and the page. */
function aChat({ friendId }: { friendId?: string } = {}) {
  const server = {
    isUp: true,
    last: 3,
    read: 3,
    /** Sequence numbers without a message. */
    absent: [] as number[],
    status: 0,
    calls: [] as string[],
    emitted: [] as string[],
    payloads: [] as unknown[],
    ack: ((text: string): unknown => ({ message: fromMe({ seq: 99, text }) })) as (text: string, id: string) => unknown,
  };
  const respond = async <Value>(call: string, value: Value): Promise<Value> => {
    server.calls.push(call);
    if (server.isUp) return value;
    throw new ApiError(server.status);
  };
  const existing = (from: number, to: number) =>
    messagesBetween(Math.max(1, from), to).filter(({ seq }) => !server.absent.includes(seq));
  const pageOf = ({ after, before = server.last + 1, limit = PAGE_LIMIT }: Page) =>
    after === undefined
      ? existing(before - limit, before - 1)
      : existing(after + 1, Math.min(server.last, after + limit));
  const api: ChatApi = {
    friends: () => respond("friends", [BOB, CLEO]),
    previews: () => respond("previews", [aMessage({ seq: server.last })]),
    threads: () =>
      respond("threads", [
        aThreadState({
          last_seq: server.last,
          read_seq: server.read,
          unread_count: existing(server.read + 1, server.last).length,
        }),
        aThreadState({ thread_id: "with-cleo", friend_id: "cleo" }),
      ]),
    page: (_, range) => respond(`page after ${range.after ?? 0}`, pageOf(range)),
    searchMessages: () => respond<Message[]>("searchMessages", []),
    searchUsers: (_, after) =>
      after === null
        ? respond("searchUsers", { users: [ME, BOB], hasMore: true })
        : respond(`searchUsers after ${after.name}`, { users: [CLEO, DAN], hasMore: false }),
    markRead: (threadId, seq) => respond(`read ${threadId} ${seq}`, undefined),
    addFriend: () => respond("addFriend", { threadId: "with-dan" }),
    unfriend: (id) => respond(`unfriend ${id}`, undefined),
    changeFriend: (id, change) => respond(`changeFriend ${id} ${JSON.stringify(change)}`, undefined),
    blocked: () => respond("blocked", []),
    block: (id) => respond(`block ${id}`, undefined),
    unblock: (id) => respond(`unblock ${id}`, undefined),
    privacy: () => respond("privacy", { who_may_add: "everyone" as const }),
    changePrivacy: () => respond("changePrivacy", undefined),
    changeAvatar: (avatar_id) => respond("changeAvatar", { ...ME, avatar_id }),
    changeName: (name) => respond("changeName", { ...ME, name }),
    profile: () => respond("profile", { ...ME, created_at: "2024-01-05T12:00:00.000Z" }),
    download: () => respond("download", new Blob()),
    logOut: () => respond("logOut", undefined),
    sessions: () => respond("sessions", []),
    endSession: (id) => respond(`endSession ${id}`, undefined),
    endSessions: () => respond("endSessions", undefined),
    changePassword: () => respond("changePassword", undefined),
    isSessionValid: () => respond("isSessionValid", server.status !== 401),
  };
  const page = { isVisible: true, isOnline: true };
  const { storage, values } = memoryStorage();
  const reported: string[] = [];
  let socket: ChatSocketOptions | undefined;
  let listeners: PageListeners | undefined;
  let isConnected = false;
  const chat = createChat(
    ME,
    friendId,
    () => ({
      navigate: (path) => void reported.push(path),
      onUserChanged: (user) => void reported.push(`user ${user.avatar_id}`),
      onLoggedOut: (why) => void reported.push(why ?? "logged out"),
    }),
    {
      storage,
      page: {
        isVisible: () => page.isVisible,
        isOnline: () => page.isOnline,
        hash: () => "",
        listen(added) {
          listeners = added;
          return () => undefined;
        },
      },
      lock: () => ({ start: (onChange) => onChange(true), takeOver: () => undefined, stop: () => undefined }),
      createApi: () => api,
      createSocket(options) {
        socket = options;
        return {
          isConnected: () => isConnected,
          connect: () => undefined,
          connectNow: () => undefined,
          close: () => undefined,
          emit(name, payload) {
            server.emitted.push(name);
            server.payloads.push(payload);
          },
          async request(name, payload) {
            server.emitted.push(name);
            server.payloads.push(payload);
            const { text = "", client_id = "" } = payload as { text?: string; client_id?: string };
            return name === "send_message" ? server.ack(text, client_id) : {};
          },
        };
      },
    },
  );
  return {
    chat,
    server,
    page,
    reported,
    values,
    storage,
    now: () => chat.get(),
    handlers: () => {
      if (!socket) throw new Error("No socket");
      return socket.handlers;
    },
    listeners: () => {
      if (!listeners) throw new Error("Nobody listens");
      return listeners;
    },
    unauthorised: () => socket?.onUnauthorised(),
    refuse: (reason: string) => socket?.onRefused(reason),
    async connect() {
      isConnected = true;
      socket?.onConnect();
      await settle();
    },
    async disconnect() {
      isConnected = false;
      socket?.onDisconnect();
      await settle();
    },
    async begin() {
      chat.start();
      await settle();
    },
  };
}

const settle = (ms = 10) => jest.advanceTimersByTimeAsync(ms);

describe("chat", () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it("loads friends, previews and threads in parallel", async () => {
    const { begin, now, server } = aChat();
    await begin();
    expect(server.calls.slice(0, 3)).toEqual(["friends", "previews", "threads"]);
    expect(now().status).toBe("ready");
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Bob", "Cleo"]);
  });

  it("reports a failure to load and loads on Retry", async () => {
    const { begin, now, server, reported } = aChat();
    server.isUp = false;
    await begin();
    expect(now().status).toBe("failed");
    expect(reported).toEqual([]);
    server.isUp = true;
    now().retryLoad();
    expect(now().status).toBe("loading");
    await settle();
    expect(now().status).toBe("ready");
  });

  it("loads when the network is back", async () => {
    const { begin, now, server, listeners } = aChat();
    server.isUp = false;
    await begin();
    server.isUp = true;
    listeners().onNetwork();
    await settle();
    expect(now().status).toBe("ready");
  });

  it("redirects to /home if the URL names no friend", async () => {
    const { begin, reported } = aChat({ friendId: "nobody" });
    await begin();
    expect(reported).toEqual(["/home"]);
  });

  it("joins all rooms on every connection", async () => {
    const { begin, connect, disconnect, server } = aChat();
    await begin();
    await connect();
    expect(server.emitted).toEqual(["join_add_friend_room", "join_room", "join_room"]);
    await disconnect();
    await connect();
    expect(server.emitted).toHaveLength(6);
  });

  it("catches up after it is connected, not before", async () => {
    const { begin, connect, server } = aChat();
    await begin();
    server.calls.length = 0;
    await connect();
    expect(server.calls).toEqual(["threads"]);
  });

  it("fetches messages that were stored while it was disconnected", async () => {
    const { begin, connect, disconnect, now, server, chat } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    await disconnect();
    server.last = 8;
    await connect();
    expect(now().active?.thread.messages.map((message) => message.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    chat.stop();
  });

  it("sends a message with read=false and a client id, and keeps its key", async () => {
    const { begin, connect, now, server } = aChat({ friendId: "bob" });
    server.ack = (text, client_id) => ({ message: fromMe({ seq: 4, text, client_id }) });
    await begin();
    await connect();
    now().saveDraft(WITH_BOB, "Hello");
    const sentAt = Date.now();
    now().sendMessage(WITH_BOB, "  Hello  ");
    const { id, timestamp, threadId } = now().active?.thread.messages.at(-1) ?? {};
    expect({ id, threadId }).toEqual({ id: timestamp, threadId: WITH_BOB });
    const key = now().active?.thread.messages.at(-1)?.key;
    await settle();
    const payload = server.payloads[server.emitted.indexOf("send_message")];
    // The six fields of the specification, and the client id.
    expect(payload).toEqual({
      thread_id: WITH_BOB,
      sending_user_id: "me",
      recipient_user_id: "bob",
      text: "  Hello",
      timestamp: new Date(sentAt).toISOString(),
      read: false,
      client_id: key,
    });
    expect(now().active?.thread.messages.at(-1)).toMatchObject({ key, seq: 4, sendState: "sent" });
    expect(now().draftOf(WITH_BOB)).toBe("");
  });

  it("sends messages that were written before it connected", async () => {
    const { begin, connect, now, server } = aChat({ friendId: "bob" });
    await begin();
    now().sendMessage(WITH_BOB, "1");
    now().sendMessage(WITH_BOB, "2");
    let seq = 3;
    server.ack = (text, client_id) => {
      seq += 1;
      return { message: fromMe({ seq, text, client_id }) };
    };
    await connect();
    const sent = server.payloads.filter((_, index) => server.emitted[index] === "send_message");
    expect(sent).toMatchObject([{ text: "1" }, { text: "2" }]);
  });

  it("does not send an empty message", async () => {
    const { begin, connect, now, server } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    now().sendMessage(WITH_BOB, "  \n ");
    expect(server.emitted).not.toContain("send_message");
  });

  it("keeps an unsent message until the page is opened again", async () => {
    const { begin, now, values } = aChat({ friendId: "bob" });
    await begin();
    now().sendMessage(WITH_BOB, "Later");
    expect(now().active?.thread.messages.at(-1)).toMatchObject({ text: "Later", sendState: "sending" });
    expect([...values.values()].some((value) => value.includes("Later"))).toBe(true);
  });

  it("shows a live message, sends a delivery receipt and counts it", async () => {
    const { begin, connect, now, server, handlers } = aChat();
    await begin();
    await connect();
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().totalUnread).toBe(1);
    expect(server.payloads.at(-1)).toEqual({ thread_id: WITH_BOB, seq: 4 });
    expect(server.emitted.at(-1)).toBe("message_delivered");
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
    const before = chat.get();
    handlers().receive_message(aMessage({ sending_user_id: "x", recipient_user_id: "y", seq: 4 }));
    expect(chat.get()).toBe(before);
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
    const { begin, now, handlers } = aChat({ friendId: "bob" });
    await begin();
    now().setCovered(true);
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().active?.thread.unreadCount).toBe(1);
    now().setCovered(false);
    expect(now().active?.thread.unreadCount).toBe(0);
  });

  it("marks the friends with a draft, including drafts of an earlier visit", async () => {
    const { begin, now, storage } = aChat();
    createDrafts(ME.id, storage).save("with-cleo", "Earlier");
    await begin();
    const marked = () => now().friends.flatMap(({ friend, hasDraft }) => (hasDraft ? [friend.name] : []));
    expect(marked()).toEqual(["Cleo"]);
    now().saveDraft(WITH_BOB, "Draft");
    now().saveDraft("with-cleo", "");
    expect(marked()).toEqual(["Bob"]);
    now().sendMessage(WITH_BOB, "Draft");
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

  it("lists a new friend first, notifies them, joins the room and opens the thread", async () => {
    const { begin, connect, now, server, reported } = aChat();
    await begin();
    await connect();
    server.emitted.length = 0;
    await now().addFriend(DAN);
    expect(now().friends[0]).toMatchObject({ friend: DAN, thread: { threadId: "with-dan", messages: [] } });
    expect(server.emitted).toEqual(["add_friend", "join_room"]);
    const starting = { thread_id: "with-dan", sending_user_id: "me", recipient_user_id: "dan", text: "" };
    expect(server.payloads.at(-2)).toEqual({
      current_user: ME,
      new_friend_id: "dan",
      message_thread: {
        thread_id: "with-dan",
        threadId: "with-dan",
        friendParticipantId: "me",
        messages: [expect.objectContaining(starting)],
      },
    });
    expect(reported).toEqual(["/home/dan"]);
  });

  it("adds nobody if the server returns an error", async () => {
    const { begin, now, server, reported } = aChat();
    await begin();
    server.isUp = false;
    await expect(now().addFriend(DAN)).rejects.toBeInstanceOf(ApiError);
    expect(now().friends).toHaveLength(2);
    expect(reported).toEqual([]);
  });

  it("lists a user who added this one, and joins the room once", async () => {
    const { begin, connect, now, server, handlers } = aChat();
    await begin();
    await connect();
    server.emitted.length = 0;
    const thread = { thread_id: "with-dan", threadId: "with-dan", friendParticipantId: "dan", messages: [] };
    handlers().received_add_new_friend({ current_user: DAN, message_thread: thread });
    handlers().received_add_new_friend({ current_user: DAN, message_thread: thread });
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Bob", "Dan", "Cleo"]);
    expect(server.emitted).toEqual(["join_room"]);
  });

  it("leaves the thread of a friend who unfriended the user, and shows it again when they are friends again", async () => {
    const { begin, connect, now, server, handlers, reported } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    server.calls.length = 0;
    handlers().friend_removed({ user_id: "bob", thread_id: WITH_BOB });
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Cleo"]);
    expect([now().active, reported.at(-1)]).toEqual([null, "/home"]);
    await settle(1_000);
    expect(server.calls).toEqual(expect.arrayContaining(["threads", "friends"]));
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Bob", "Cleo"]);
  });

  it("shows a message as not sent, with the reason, if the friendship ended at the same moment", async () => {
    const { begin, connect, now, server } = aChat();
    server.ack = () => ({ error: "You can only write to your friends", is_retryable: false });
    await begin();
    await connect();
    now().sendMessage(WITH_BOB, "too late");
    await settle(60_000);
    expect(server.emitted.filter((name) => name === "send_message")).toHaveLength(1);
    expect(now().friends[0]?.thread.messages.at(-1)).toMatchObject({
      text: "too late",
      sendState: "not-sent",
      notSentReason: "You can only write to your friends",
    });
  });

  it("offers neither the user nor friends, and continues the search after a page of them", async () => {
    const { begin, now, server } = aChat();
    await begin();
    const found = await now().searchUsers("d", null, new AbortController().signal);
    expect(found).toEqual({ items: [DAN], last: null });
    expect(server.calls.filter((call) => call.startsWith("searchUsers"))).toEqual([
      "searchUsers",
      "searchUsers after Bob",
    ]);
  });

  it("notifies the shell of a new avatar, including one chosen in another tab", async () => {
    const { begin, now, reported, handlers } = aChat();
    await begin();
    await now().changeAvatar("fox-id");
    expect(now().user.avatar_id).toBe("fox-id");
    handlers().user_updated({ user: { ...ME, avatar_id: "cat-id" } });
    expect(now().user.avatar_id).toBe("cat-id");
    expect(reported).toEqual(["user fox-id", "user cat-id"]);
  });

  it("changes nothing if the avatar cannot be saved", async () => {
    const { begin, now, server, reported } = aChat();
    await begin();
    server.isUp = false;
    await expect(now().changeAvatar("fox-id")).rejects.toBeInstanceOf(ApiError);
    expect(now().user).toEqual(ME);
    expect(reported).toEqual([]);
  });

  it("logs out, removes drafts and keeps unsent messages", async () => {
    const { begin, now, reported, values } = aChat();
    await begin();
    now().saveDraft(WITH_BOB, "Draft");
    now().sendMessage("with-cleo", "Waits");
    now().logOut();
    expect(reported).toEqual(["logged out"]);
    expect([...values.keys()].map((key) => key.split(":")[1])).toEqual(["outbox"]);
  });

  it("logs out at once, even if the server cannot be reached", async () => {
    const { begin, now, reported, server } = aChat();
    await begin();
    server.isUp = false;
    now().logOut();
    expect(reported).toEqual(["logged out"]);
  });

  it("leaves once if the session was ended elsewhere", async () => {
    const { begin, reported, handlers } = aChat();
    await begin();
    handlers().session_ended({});
    handlers().session_ended({});
    expect(reported).toEqual(["ended"]);
  });

  it("checks with svc-users whether the session has ended", async () => {
    const { begin, reported, server, unauthorised } = aChat();
    await begin();
    unauthorised();
    await settle();
    expect(reported).toEqual([]);
    server.status = 401;
    unauthorised();
    await settle();
    expect(reported).toEqual(["ended"]);
  });

  it("reports that it is degraded while the server is, and polls more often", async () => {
    const { begin, connect, now, server, handlers } = aChat();
    await begin();
    await connect();
    handlers().service_state({ is_degraded: true });
    expect(now().connection).toBe("degraded");
    server.calls.length = 0;
    await settle(20_000);
    expect(server.calls.length).toBeGreaterThanOrEqual(3);
    handlers().service_state({ is_degraded: false });
    expect(now().connection).toBe("connected");
  });

  it("shows the server's reason while a message waits", async () => {
    const { begin, connect, now, server } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    server.ack = () => ({ error: "You are sending too fast", is_retryable: true });
    now().sendMessage("with-bob", "Hurry");
    await settle();
    expect([now().connection, now().connectionReason]).toEqual(["degraded", "You are sending too fast"]);
    server.ack = (text, client_id) => ({ message: fromMe({ seq: 4, text, client_id }) });
    await settle(10_000);
    expect([now().connection, now().connectionReason]).toEqual(["connected", null]);
  });

  it("resends rate-limited messages in order, and reports the delay", async () => {
    const { begin, connect, now, server } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    let allowed = 1;
    let seq = 3;
    server.ack = (text, client_id) => {
      if (allowed === 0) return { error: SENDING_TOO_FAST, is_retryable: true };
      allowed -= 1;
      seq += 1;
      return { message: fromMe({ seq, text, client_id }) };
    };
    for (const text of ["a", "b", "c"]) now().sendMessage(WITH_BOB, text);
    await settle();
    expect([now().connection, now().connectionReason]).toEqual(["degraded", SENDING_TOO_FAST]);
    allowed = 2;
    await settle(10_000);
    expect([now().connection, now().connectionReason]).toEqual(["connected", null]);
    expect(now().active?.thread.messages.slice(-3)).toMatchObject([
      { text: "a", seq: 4, sendState: "sent" },
      { text: "b", seq: 5, sendState: "sent" },
      { text: "c", seq: 6, sendState: "sent" },
    ]);
  });

  it("shows why the server refuses the connection until it is connected", async () => {
    const { begin, connect, disconnect, now, refuse } = aChat();
    await begin();
    await connect();
    await disconnect();
    refuse("Please close some tabs");
    await settle(3_000);
    expect([now().connection, now().connectionReason]).toEqual(["connecting", "Please close some tabs"]);
    await connect();
    expect([now().connection, now().connectionReason]).toEqual(["connected", null]);
  });

  it("reports that the browser is offline, and clears the presence", async () => {
    const { begin, connect, now, page, handlers, listeners } = aChat();
    await begin();
    await connect();
    handlers().presence({ user_id: "bob", is_online: true });
    expect(now().friends[0]?.isOnline).toBe(true);
    page.isOnline = false;
    listeners().onNetwork();
    expect(now().connection).toBe("offline");
    expect(now().friends[0]?.isOnline).toBe(false);
  });

  it("catches up when the page becomes visible", async () => {
    const { begin, connect, page, server, listeners } = aChat();
    await begin();
    await connect();
    page.isVisible = false;
    listeners().onVisibility();
    server.calls.length = 0;
    page.isVisible = true;
    listeners().onVisibility();
    await settle();
    expect(server.calls).toEqual(["threads"]);
  });

  it("jumps to a found message in its thread, and again if asked again", async () => {
    const { begin, now, reported, chat } = aChat();
    await begin();
    const jumping = now().jumpToMessage(aMessage({ seq: 2 }));
    expect(reported).toEqual(["/home/bob"]);
    chat.openFriend("bob");
    await jumping;
    expect(now().jump).toMatchObject({ threadId: WITH_BOB, key: "with-bob-2" });
    const nonce = now().jump?.nonce ?? 0;
    await now().jumpToMessage(aMessage({ seq: 2 }));
    expect(now().jump?.nonce).toBe(nonce + 1);
    expect(reported).toHaveLength(1);
  });

  it("starts again after it was stopped, as in React's strict mode", async () => {
    const { chat, begin, connect, now, handlers } = aChat();
    chat.start();
    chat.stop();
    await begin();
    await connect();
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().totalUnread).toBe(1);
  });
});
