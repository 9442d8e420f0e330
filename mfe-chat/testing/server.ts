import * as changes from "@messageoh/contracts/changes";
import * as invites from "@messageoh/contracts/invites";
import {
  listMessages,
  listThreads,
  type Message,
  type ThreadState,
  updateMessageRead,
} from "@messageoh/contracts/messages";
import { type ReceivedRequest, respond, startHttpServer } from "@messageoh/contracts/testing/httpServer";
import * as users from "@messageoh/contracts/users";
import { aMessage, aThreadState, BOB, CLEO, fromMe, ME, WITH_BOB, WITH_CLEO } from "./builders.ts";

export const DAN: users.User = { id: "dan", name: "Dan", avatar_id: "bear-id" };

export interface ServerData {
  friends: users.ListedFriend[];
  /** All messages of the thread with Bob. */
  messages: Message[];
  threads: ThreadState[];
}

/** Bob's thread has three messages, the last of which is unread; Cleo's thread has none. */
export const someData = (): ServerData => ({
  friends: [BOB, CLEO],
  messages: [
    aMessage({ seq: 1, text: "Shall we meet Bobby the Fox tomorrow?" }),
    fromMe({ seq: 2, text: "Gladly" }),
    aMessage({ seq: 3, text: "one two three four five six seven eight nine ten" }),
  ],
  threads: [
    aThreadState({ thread_id: WITH_BOB, last_seq: 3, read_seq: 2, unread_count: 1 }),
    aThreadState({ thread_id: WITH_CLEO, friend_id: "cleo" }),
  ],
});

const contains = (text: string, part: string | undefined) => text.toLowerCase().includes((part ?? "").toLowerCase());

/** Returns the message of Bob's thread that a request names. One that is not listed was sent by the test. */
function messageOf({ messages }: ServerData, { path }: ReceivedRequest): Message {
  const seq = Number(path.split("/")[4]);
  return messages.find((message) => message.seq === seq) ?? fromMe({ seq });
}

/** Changes the message that a request names, which gets the next number of a change. */
function change(data: ServerData, request: ReceivedRequest, parts: Partial<Message>): Message {
  const { seq } = messageOf(data, request);
  const last = Math.max(0, ...data.messages.map((message) => message.change ?? 0));
  const changed = { ...messageOf(data, request), ...parts, change: last + 1 };
  data.messages = data.messages.map((message) => (message.seq === seq ? changed : message));
  return changed;
}

/** Returns handlers for all HTTP calls of the chat, with responses from `data()`. */
export function startChatServer(data: () => ServerData = someData) {
  /** Whether the user has added Dan in this test. */
  let isDanAdded = false;
  afterEach(() => {
    isDanAdded = false;
  });
  return startHttpServer(
    respond(users.listFriends, () => [...(isDanAdded ? [DAN] : []), ...data().friends]),
    respond(listThreads, () => {
      const { threads, messages } = data();
      const withDan = isDanAdded ? [aThreadState({ thread_id: "with-dan", friend_id: DAN.id })] : [];
      return [...threads, ...withDan].map((thread) => {
        const last = messages.findLast((message) => message.thread_id === thread.thread_id);
        return { ...thread, last_seq: last?.seq ?? 0, last_message: last ?? null };
      });
    }),
    respond(listMessages, ({ query }) => {
      const { messages } = data();
      if (query.attached !== undefined) {
        const { search, before_seq = Number.POSITIVE_INFINITY, limit } = query;
        return messages
          .filter(({ thread_id, seq }) => thread_id === query.thread_id && seq < Number(before_seq))
          .filter(({ attachments }) => attachments?.some(({ name }) => contains(name, search)))
          .slice(-Number(limit));
      }
      if (query.search !== undefined) {
        const { search, thread_id = WITH_BOB, before_id, limit } = query;
        const found = messages.filter((message) => message.thread_id === thread_id && contains(message.text, search));
        const end = found.findIndex(({ id }) => id === before_id);
        return (end < 0 ? found : found.slice(0, end)).toReversed().slice(0, Number(limit));
      }
      if (query.thread_id === undefined) return messages.slice(-1);
      const ofThread = messages.filter(({ thread_id }) => thread_id === query.thread_id);
      if (query.pinned) return ofThread.filter(({ pinned }) => pinned !== undefined);
      if (query.from)
        return ofThread.filter(({ timestamp }) => timestamp >= (query.from ?? "")).slice(0, Number(query.limit));
      const { before_seq = Number.POSITIVE_INFINITY, limit = messages.length } = query;
      return ofThread.filter(({ seq }) => seq < Number(before_seq)).slice(-Number(limit));
    }),
    respond(changes.editMessage, (request) => {
      const { text } = request.body as { text: string };
      const { edit_count = 0 } = messageOf(data(), request);
      return change(data(), request, { text, edit_count: edit_count + 1, edited_at: new Date().toISOString() });
    }),
    respond(changes.deleteMessage, (request) =>
      change(data(), request, { text: "deleted", deleted_at: new Date().toISOString() }),
    ),
    respond(changes.reactToMessage, (request) => {
      const { emoji } = request.body as { emoji: string | null };
      const others = (messageOf(data(), request).reactions ?? []).filter(({ user_id }) => user_id !== ME.id);
      return change(data(), request, {
        reactions: [...others, ...(emoji === null ? [] : [{ user_id: ME.id, emoji }])],
      });
    }),
    respond(changes.hideMessage, (request) => {
      const { thread_id, seq } = messageOf(data(), request);
      return { thread_id, seq, hidden: (request.body as { hidden: boolean }).hidden };
    }),
    respond(changes.pinMessage, (request) => {
      const { pinned } = request.body as { pinned: boolean };
      return change(data(), request, { pinned: pinned ? { by: ME.id, at: new Date().toISOString() } : undefined });
    }),
    respond(changes.starMessage, (request) => {
      const { thread_id, seq } = messageOf(data(), request);
      return { thread_id, seq, starred: (request.body as { starred: boolean }).starred };
    }),
    respond(changes.saveDraft, (request) => ({
      thread_id: decodeURIComponent(request.path.split("/").at(-1) as string),
      draft: { text: (request.body as { text: string }).text, rev: 1 },
    })),
    respond(changes.listStarred, ({ query }) => {
      const { messages, threads } = data();
      const found = messages.filter(({ thread_id, seq }) =>
        threads.some((thread) => thread.thread_id === thread_id && thread.starred?.includes(seq)),
      );
      const end = found.findIndex(({ id }) => id === query.before_id);
      return (end < 0 ? found : found.slice(0, end)).toReversed().slice(0, Number(query.limit));
    }),
    respond(changes.listEdits, (request) => {
      const { text, timestamp, edited_at = timestamp } = messageOf(data(), request);
      return [
        { text: "First text", at: timestamp },
        { text, at: edited_at },
      ];
    }),
    respond(updateMessageRead, () => ({ thread_id: WITH_BOB, user_id: ME.id, seq: 3 })),
    respond(users.listUsers, ({ query }) => [ME, BOB, CLEO, DAN].filter(({ name }) => contains(name, query.search))),
    respond(users.addFriend, () => {
      isDanAdded = true;
      return { friend_id: DAN.id, thread_id: "with-dan" };
    }),
    respond(users.unfriend, () => ({})),
    respond(users.changeFriend, () => ({})),
    respond(users.listBlocked, () => []),
    respond(users.block, () => ({})),
    respond(users.unblock, () => ({})),
    respond(users.getPrivacy, () => ({ who_may_add: "everyone" as const })),
    respond(users.changePrivacy, ({ body }) => body as users.Privacy),
    respond(invites.getInvite, () => ({ token: "my-token" })),
    respond(invites.renewInvite, () => ({ token: "new-token" })),
    respond(invites.findInviter, ({ path }) => [BOB, DAN, ME].find(({ id }) => path.endsWith(`/of-${id}`)) ?? DAN),
    respond(users.changeAvatar, ({ body }) => ({ ...ME, ...(body as { avatar_id: string }) })),
    respond(users.logOut, () => ({})),
  );
}
