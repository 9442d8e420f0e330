import { ApiError } from "@messageoh/contracts/client";
import type { Draft, Message } from "@messageoh/contracts/messages";
import { createChat } from "../src/createChat.ts";
import { type ChatApi, PAGE_LIMIT, type Page } from "../src/fetching/chatApi.ts";
import type { Device } from "../src/offline/database.ts";
import type { FileBytes } from "../src/outbox/fileStore.ts";
import type { Stored } from "../src/pending/pendingChange.ts";
import type { PageListeners } from "../src/realtime/pageLifecycle.ts";
import type { SocketListeners } from "../src/realtime/socket/socket.ts";
import { aMessage, aThreadState, BOB, CLEO, fromMe, ME, messagesBetween, timeOf } from "./builders.ts";
import { viewOf } from "./chatView.ts";
import { memoryStorage } from "./memoryStorage.ts";

export const DAN = { id: "dan", name: "Dan", avatar_id: "bear-id" };

/** The storage of the device, and whether the server has not confirmed the user yet. */
interface TestDevice {
  storage: Device;
  isUnconfirmed: boolean;
  /** Files of unsent messages. */
  files?: FileBytes;
}

const nothing: Device = { read: async () => null, save: async () => undefined };

/** Returns a whole chat with test doubles of the server, the socket and the page. */
export function aChat({ friendId, device }: { friendId?: string; device?: TestDevice } = {}) {
  const fileBytes = device?.files;
  const server = {
    isUp: true,
    /** Responses of HTTP calls wait for this promise. */
    held: undefined as Promise<void> | undefined,
    friends: [BOB, CLEO],
    last: 3,
    read: 3,
    /** Sequence numbers without a message. */
    absent: [] as number[],
    status: 0,
    /** Messages that have changed. */
    changed: [] as Message[],
    /** Numbers of the messages that the user has hidden. */
    hidden: [] as number[],
    /** Numbers of the messages that the user has starred. */
    starred: [] as number[],
    /** Draft for Bob. */
    draft: undefined as Draft | undefined,
    /** Pinned messages of Bob's thread. */
    pinned: [] as Message[],
    calls: [] as string[],
    emitted: [] as string[],
    payloads: [] as unknown[],
    ack: ((text: string): unknown => ({ message: fromMe({ seq: 99, text }) })) as (text: string, id: string) => unknown,
  };
  const respond = async <Value>(call: string, value: Value): Promise<Value> => {
    server.calls.push(call);
    if (!server.isUp) throw new ApiError(server.status);
    await server.held;
    return value;
  };
  const existing = (from: number, to: number) =>
    messagesBetween(Math.max(1, from), to).filter(({ seq }) => !server.absent.includes(seq));
  const pageOf = ({ after, before = server.last + 1, limit = PAGE_LIMIT }: Page) =>
    after === undefined
      ? existing(before - limit, before - 1)
      : existing(after + 1, Math.min(server.last, after + limit));
  const api: ChatApi = {
    friends: () => respond("friends", server.friends),
    previews: () => respond("previews", [aMessage({ seq: server.last })]),
    threads: () =>
      respond("threads", [
        aThreadState({
          last_seq: server.last,
          read_seq: server.read,
          unread_count: existing(server.read + 1, server.last).length,
          hidden: server.hidden,
          starred: server.starred,
          draft: server.draft,
        }),
        aThreadState({ thread_id: "with-cleo", friend_id: "cleo" }),
      ]),
    page: (_, range) => respond(`page after ${range.after ?? 0}`, pageOf(range)),
    changes: (_, after) => respond(`changes after ${after}`, server.changed),
    saveChange(change): Promise<Stored> {
      const { kind, thread_id } = change;
      if (kind === "draft") {
        server.draft = { text: change.text, rev: (server.draft?.rev ?? 0) + 1 };
        return respond(`draft ${change.text}`, { thread_id, draft: server.draft });
      }
      const { seq } = change;
      const marked = (seqs: readonly number[], isMarked: boolean) => [
        ...seqs.filter((other) => other !== seq),
        ...(isMarked ? [seq] : []),
      ];
      if (kind === "edit") return respond(`edit ${seq} ${change.text}`, fromMe({ seq, text: change.text }));
      if (kind === "delete") return respond(`delete ${seq}`, fromMe({ seq, text: "deleted" }));
      if (kind === "react") return respond(`react ${seq} ${change.emoji}`, aMessage({ seq }));
      if (kind === "pin") {
        const pinned = change.pinned ? { by: ME.id, at: timeOf(seq) } : undefined;
        return respond(`pin ${seq} ${change.pinned}`, aMessage({ seq, pinned }));
      }
      if (kind === "hide") {
        server.hidden = marked(server.hidden, change.hidden);
        return respond(`hide ${seq} ${change.hidden}`, { thread_id, seq, hidden: change.hidden });
      }
      server.starred = marked(server.starred, change.starred);
      return respond(`star ${seq} ${change.starred}`, { thread_id, seq, starred: change.starred });
    },
    pinned: () => respond("pinned", server.pinned),
    starred: () => respond<Message[]>("starred", []),
    firstFrom: (_, from) =>
      respond(
        `from ${from}`,
        existing(1, server.last).find(({ timestamp }) => timestamp >= from),
      ),
    listEdits: (_, seq) => respond(`edits ${seq}`, []),
    searchMessages: () => respond<Message[]>("searchMessages", []),
    searchUsers: (_, after) =>
      after === null
        ? respond("searchUsers", { users: [ME, BOB], hasMore: true })
        : respond(`searchUsers after ${after.name}`, { users: [CLEO, DAN], hasMore: false }),
    call: ({ path }) => respond(path, {} as never),
    cancelUpload: (url) => void server.calls.push(`cancel ${url}`),
    markRead: (threadId, seq) => respond(`read ${threadId} ${seq}`, {}),
    addFriend: () => respond("addFriend", { friend_id: "dan", thread_id: "with-dan" }),
    unfriend: (id) => respond(`unfriend ${id}`, {}),
    changeFriend: (id, change) => respond(`changeFriend ${id} ${JSON.stringify(change)}`, {}),
    blocked: () => respond("blocked", []),
    block: (id) => respond(`block ${id}`, {}),
    unblock: (id) => respond(`unblock ${id}`, {}),
    privacy: () => respond("privacy", { who_may_add: "everyone" as const }),
    changePrivacy: (privacy) => respond("changePrivacy", privacy),
    invite: () => respond("invite", "my-token"),
    renewInvite: () => respond("renewInvite", "new-token"),
    inviter: () => respond("inviter", ME),
    changeAvatar: (avatar_id) => respond("changeAvatar", { ...ME, avatar_id }),
    changeName: (name) => respond("changeName", { ...ME, name }),
    profile: () => respond("profile", { ...ME, created_at: "2024-01-05T12:00:00.000Z" }),
    download: () => respond("download", new Blob()),
    deleteAccount: () => respond("deleteAccount", {}),
    logOut: () => respond("logOut", {}),
    sessions: () => respond("sessions", []),
    endSession: (id) => respond(`endSession ${id}`, undefined),
    endSessions: () => respond("endSessions", {}),
    changePassword: () => respond("changePassword", {}),
    isSessionValid: () => respond("isSessionValid", server.status !== 401),
  };
  const page = { isVisible: true, isOnline: true };
  const { storage, values } = memoryStorage();
  const reported: string[] = [];
  const logOutCalls: unknown[] = [];
  let socket: SocketListeners | undefined;
  let listeners: PageListeners | undefined;
  let isConnected = false;
  const chat = createChat(
    ME,
    friendId,
    () => ({
      navigate: (path) => void reported.push(path),
      onUserChanged: (user) => void reported.push(`user ${user.avatar_id}`),
      onLoggedOut(why, call) {
        reported.push(why ?? "logged out");
        logOutCalls.push(call);
      },
    }),
    {
      storage,
      page: {
        isVisible: () => page.isVisible,
        isOnline: () => page.isOnline,
        address: () => ({ search: "", hash: "" }),
        listen(added) {
          listeners = added;
          return () => undefined;
        },
      },
      lock: () => ({
        start: (onChange) => onChange(true),
        takeOver: () => void server.calls.push("take over"),
        stop: () => undefined,
      }),
      createApi: () => api,
      createSocket: () => ({
        listen(added) {
          socket = added;
        },
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
      }),
      openDevice: async () => device?.storage ?? nothing,
      ...(fileBytes ? { openFiles: async () => fileBytes } : {}),
    },
    device && { deviceDatabase: "device", isUnconfirmed: device.isUnconfirmed },
  );
  return {
    chat,
    server,
    page,
    reported,
    logOutCalls,
    values,
    storage,
    now: () => viewOf(chat.store.get()),
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

/** Waits until the responses to all calls have arrived. */
export const settle = (ms = 10) => jest.advanceTimersByTimeAsync(ms);

/** Gives each test of a block fake timers, and discards the warnings about failed calls. */
export function fakeTimersWithoutWarnings(): void {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}
