import type { Attachment } from "@messageoh/contracts/attachments";
import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import type { Message, ThreadState } from "@messageoh/contracts/messages";
import type { User } from "@messageoh/contracts/users";
import type { StoredThread } from "../src/offline/storedChat.ts";
import type { QueuedMessage } from "../src/outbox/queuedMessage.ts";
import { type ChatAction, chatReducer } from "../src/state/chatReducer.ts";
import { type ChatState, firstState } from "../src/state/chatState.ts";
import type { PagePlace } from "../src/state/thread/threadRules.ts";
import { viewOf } from "./chatView.ts";

/** The user of the tests, whose friends are Bob (thread `with-bob`) and Cleo (thread `with-cleo`). */
export const ME: User = { id: "me", name: "Me", avatar_id: "dog-id" };
export const BOB: User = { id: "bob", name: "Bob", avatar_id: "cat-id" };
export const CLEO: User = { id: "cleo", name: "Cleo", avatar_id: "fox-id" };
export const WITH_BOB = "with-bob";
export const WITH_CLEO = "with-cleo";

/** A different timestamp for each sequence number, ascending as on the server. */
export const timeOf = (seq: number) => new Date(Date.UTC(2024, 0, 5, 12, 0, seq)).toISOString();

/** Returns a message from Bob. */
export function aMessage(parts: Partial<Message> = {}): Message {
  const { thread_id = WITH_BOB, seq = 1 } = parts;
  const id = `${thread_id}-${seq}`;
  return {
    id,
    client_id: `client-${id}`,
    thread_id,
    seq,
    sending_user_id: "bob",
    recipient_user_id: "me",
    text: `Text ${seq}`,
    timestamp: timeOf(seq),
    read: false,
    ...parts,
  };
}

export const fromMe = (parts: Partial<Message> = {}): Message =>
  aMessage({ sending_user_id: "me", recipient_user_id: "bob", ...parts });

export const fromCleo = (parts: Partial<Message> = {}): Message =>
  aMessage({ thread_id: WITH_CLEO, sending_user_id: "cleo", ...parts });

/** Returns Bob's messages from one sequence number to another, inclusive. */
export const messagesBetween = (from: number, to: number): Message[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => aMessage({ seq: from + index }));

/** Returns the server's state of the thread with Bob, which has `last_seq` messages from Bob. */
export function aThreadState(parts: Partial<ThreadState> = {}): ThreadState {
  const { thread_id = WITH_BOB, friend_id = "bob", last_seq = 0, read_seq = last_seq } = parts;
  return {
    thread_id,
    friend_id,
    last_seq,
    last_change: 0,
    read_seq,
    friend_read_seq: 0,
    friend_delivered_seq: 0,
    unread_count: last_seq - read_seq,
    last_message: last_seq === 0 ? null : aMessage({ thread_id, sending_user_id: friend_id, seq: last_seq }),
    ...parts,
  };
}

/** Returns the thread with Bob as the device stores it. */
export const aStoredThread = (messages: readonly Message[] = messagesBetween(1, 3)): StoredThread => ({
  threadId: WITH_BOB,
  friendId: "bob",
  readSeq: 2,
  friendReadSeq: 0,
  friendDeliveredSeq: 0,
  unread: 1,
  messages,
});

/** Returns what the server makes of a file. */
export const anAttachment = (parts: Partial<Attachment> = {}): Attachment => ({
  id: "media-1",
  kind: "file",
  name: "a.txt",
  bytes: 10,
  type: "text/plain",
  ...parts,
});

/** Returns what the server makes of a link. */
export const aLinkPreview = (parts: Partial<LinkPreview> = {}): LinkPreview => ({
  id: "preview-1",
  url: "https://a.example/page",
  title: "A page",
  site: "a.example",
  ...parts,
});

export const aQueued = (parts: Partial<QueuedMessage> = {}): QueuedMessage => ({
  client_id: "client-a",
  thread_id: WITH_BOB,
  recipient_user_id: "bob",
  text: "Hello",
  timestamp: timeOf(1000),
  queued_at: 1,
  state: "sending",
  ...parts,
});

interface StateParts {
  threads?: readonly ThreadState[];
  openFriendId?: string | null;
  isVisible?: boolean;
}

/** Returns the state after loading. Without `threads`: both friends, no messages. */
export function aState({ threads, openFriendId = null, isVisible = true }: StateParts = {}): ChatState {
  return reduce(firstState(ME, openFriendId, isVisible), [
    { type: "friendsListed", friends: [BOB, CLEO] },
    {
      type: "threadsSynced",
      threads: threads ?? [aThreadState(), aThreadState({ thread_id: WITH_CLEO, friend_id: "cleo" })],
    },
    { type: "statusChanged", status: "ready" },
  ]);
}

export const reduce = (state: ChatState, actions: readonly ChatAction[]): ChatState =>
  actions.reduce(chatReducer, state);

export const received = (...messages: Message[]): ChatAction => ({ type: "messagesReceived", messages });

/** Returns the action for a complete page of the thread with Bob. */
export const pageLoaded = (messages: readonly Message[], place: PagePlace = "newest"): ChatAction => ({
  type: "pageLoaded",
  threadId: WITH_BOB,
  messages,
  place,
  request: { limit: messages.length, finalSeq: 0 },
});

/** Returns a friend as the view shows it. */
export function shown(state: ChatState, friendId = "bob") {
  const entry = viewOf(state).friends.find(({ friend }) => friend.id === friendId);
  if (!entry) throw new Error(`No friend ${friendId}`);
  return entry;
}

export const texts = (state: ChatState, friendId = "bob"): string[] =>
  shown(state, friendId).thread.messages.map((message) => message.text);

export const seqs = (state: ChatState, friendId = "bob"): (number | null)[] =>
  shown(state, friendId).thread.messages.map((message) => message.seq);
