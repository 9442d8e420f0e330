import { captionOf } from "@messageoh/contracts/attachments";
import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import type { Message } from "@messageoh/contracts/messages";
import { isDeletable } from "../../outbox/queue.ts";
import type { QueuedMessage } from "../../outbox/queuedMessage.ts";
import { withPending } from "../../pending/optimistic.ts";
import { isOfMessage } from "../../pending/pendingChange.ts";
import { hiddenIn, starredIn } from "./privateMarks.ts";
import { messageAt } from "./segments.ts";
import { type ShownAttachment, unsentAttachment } from "./shownAttachment.ts";
import type { Thread } from "./thread.ts";
import { hasNewer, windowOf } from "./window.ts";

export type SendState = "sending" | "sent" | "delivered" | "read" | "not-sent";

export interface ShownReaction {
  emoji: string;
  isMine: boolean;
}

/** Shown instead of the text of a deleted message. */
export const DELETED_TEXT = "Message deleted";

/** A stored or unsent message as the screen shows it. */
export interface ThreadMessage {
  /** Stable from first render to ack: the client id of own messages, the stored id of others. */
  key: string;
  /** Id of the server; the client's timestamp until the message is stored. */
  id: string;
  threadId: string;
  /** Null until stored. */
  seq: number | null;
  isMine: boolean;
  /** The caption of a message with attachments, which may be empty. */
  text: string;
  attachments?: readonly ShownAttachment[];
  /** Preview of a link in the text. */
  preview?: LinkPreview;
  /** Its files are being uploaded. */
  isUploading?: boolean;
  /** ISO. */
  timestamp: string;
  /** Own messages only. */
  sendState: SendState | null;
  /** Reason of the server for refusing the message. */
  notSentReason?: string;
  /** The user can delete it, because no attempt to send it goes on. */
  isDeletable?: boolean;
  /** Its text is {@link DELETED_TEXT} then. */
  isDeleted?: boolean;
  /** Number of edits of its text. */
  editCount?: number;
  /** Number of the message that it replies to. */
  replyTo?: number;
  reactions?: readonly ShownReaction[];
  /** Number of times it was forwarded before it got here. */
  forwarded?: number;
  /** Pinned for both. */
  isPinned?: boolean;
  /** Starred by the user, whom alone it concerns. */
  isStarred?: boolean;
}

/** The parts of a thread that its messages depend on. */
export type MessageParts = Pick<
  Thread,
  | "segments"
  | "viewSeq"
  | "knownSeq"
  | "outbox"
  | "pending"
  | "hidden"
  | "starred"
  | "friendId"
  | "friendReadSeq"
  | "friendDeliveredSeq"
>;

/** What was shown last for a message, so that its row keeps its identity. */
const rows = new WeakMap<Message | QueuedMessage, ThreadMessage>();

/** Returns the messages in the window of a thread, ascending, unsent ones last; without hidden messages. */
export function shownMessages(thread: MessageParts): ThreadMessage[] {
  const { segments, knownSeq, friendId } = thread;
  // Own messages stored beyond a gap were visible before and must stay so while it is filled.
  const ownBeyond = segments
    .filter(({ from }) => from > knownSeq)
    .flatMap(({ messages }) => messages.filter((message) => message.sending_user_id !== friendId));
  const window = windowOf(thread).messages;
  const stored = (hasNewer(thread) ? window : [...window, ...ownBeyond])
    .filter(shownIn(thread))
    .map((message) => rowOf(message, thread));
  return hasNewer(thread) ? stored : [...stored, ...unsentOf(thread).map(unsentRow)];
}

/** Returns the messages that could not be sent, wherever the window of the thread is. */
export const notSentIn = (thread: MessageParts): ThreadMessage[] =>
  unsentOf(thread)
    .filter(({ state }) => state === "not-sent")
    .map(unsentRow);

/** Returns the last message that is loaded and not hidden, for the preview, including unsent ones. */
export function lastMessage(thread: MessageParts): ThreadMessage | null {
  const unsent = unsentOf(thread).at(-1);
  if (unsent) return unsentRow(unsent);
  const newest = newestShown(thread);
  return newest ? rowOf(newest, thread) : null;
}

/** Returns the outbox entries that are not stored: an ack may be lost, or precede the update of the queue. */
export function unsentOf({ segments, outbox, friendId }: MessageParts): readonly QueuedMessage[] {
  if (outbox.length === 0) return outbox;
  const ids = new Set(outbox.map((entry) => entry.client_id));
  for (const { messages } of segments) {
    for (const message of messages) {
      if (message.client_id !== null && message.sending_user_id !== friendId) ids.delete(message.client_id);
    }
  }
  return outbox.filter((entry) => ids.has(entry.client_id));
}

/** Returns the newest loaded message that is shown and meets a condition. */
export function newestShown(thread: MessageParts, isWanted = (_: Message) => true): Message | undefined {
  const isShown = shownIn(thread);
  for (const { messages } of thread.segments.toReversed()) {
    const newest = messages.findLast((message) => isShown(message) && isWanted(message));
    if (newest) return newest;
  }
  return undefined;
}

/** Returns the function that tells whether a stored message is shown. Only starting messages have no text. */
function shownIn(thread: MessageParts): (message: Message) => boolean {
  const hidden = hiddenIn(thread);
  return ({ seq, text }) => text !== "" && !hidden.has(seq);
}

/** Returns the key of a stored message. An own message keeps the id that it had before it was stored. */
export const messageKey = ({ id, client_id, sending_user_id }: Message, friendId: string): string =>
  sending_user_id === friendId ? id : (client_id ?? id);

/** Returns a stored message with the user's changes that the server has not confirmed. */
export function pendingState(message: Message, { pending, friendId }: Pick<Thread, "pending" | "friendId">): Message {
  const changes = pending.filter(isOfMessage).filter(({ seq }) => seq === message.seq);
  return changes.length === 0 ? message : withPending(message, changes, friendId);
}

/** Returns a stored message as the screen shows it, with the changes that the server has not confirmed. */
export function rowOf(stored: Message, thread: MessageParts): ThreadMessage {
  const { friendId, friendReadSeq, friendDeliveredSeq } = thread;
  const message = pendingState(stored, thread);
  const { id, thread_id: threadId, seq, timestamp } = message;
  const text = captionOf(message);
  const isMine = message.sending_user_id !== friendId;
  const received = seq <= friendReadSeq ? "read" : seq <= friendDeliveredSeq ? "delivered" : "sent";
  const sendState = isMine ? received : null;
  const isStarred = message.deleted_at === undefined && starredIn(thread).has(seq);
  const before = rows.get(message);
  if (before?.sendState === sendState && (before.isStarred ?? false) === isStarred) return before;
  const key = messageKey(message, friendId);
  const row: ThreadMessage = { key, id, threadId, seq, isMine, text, timestamp, sendState };
  Object.assign(row, changesOf(message, friendId));
  if (isStarred) row.isStarred = true;
  rows.set(message, row);
  return row;
}

/** Returns the loaded messages with these numbers that are shown, ascending. */
export function rowsAt(thread: MessageParts, seqs: Iterable<number>): ThreadMessage[] {
  const isShown = shownIn(thread);
  const loaded = [...seqs].sort((a, b) => a - b).flatMap((seq) => messageAt(thread.segments, seq) ?? []);
  return loaded.filter(isShown).map((message) => rowOf(message, thread));
}

function changesOf(message: Message, friendId: string): Partial<ThreadMessage> {
  const { deleted_at, edit_count, reply_to, attachments, preview, forwarded, reactions = [], pinned } = message;
  if (deleted_at !== undefined) return { isDeleted: true, text: DELETED_TEXT };
  const changes: Partial<ThreadMessage> = {};
  if (attachments?.length) changes.attachments = attachments;
  if (preview) changes.preview = preview;
  if (edit_count) changes.editCount = edit_count;
  if (reply_to) changes.replyTo = reply_to;
  if (forwarded) changes.forwarded = forwarded;
  if (pinned) changes.isPinned = true;
  if (reactions.length > 0) {
    changes.reactions = reactions.map(({ user_id, emoji }) => ({ emoji, isMine: user_id !== friendId }));
  }
  return changes;
}

function unsentRow(entry: QueuedMessage): ThreadMessage {
  const { client_id: key, thread_id: threadId, text, timestamp, state, reason, files } = entry;
  const sendState = state === "uploading" ? "sending" : state;
  const known = rows.get(entry);
  if (known) return known;
  const row: ThreadMessage = { key, id: timestamp, threadId, seq: null, isMine: true, text, timestamp, sendState };
  const attachments = files?.map(unsentAttachment) ?? entry.attachments;
  if (attachments) row.attachments = attachments;
  if (entry.preview) row.preview = entry.preview;
  if (state === "uploading") row.isUploading = true;
  if (reason !== undefined) row.notSentReason = reason;
  if (isDeletable(entry)) row.isDeletable = true;
  if (entry.reply_to !== undefined) row.replyTo = entry.reply_to;
  if (entry.forwarded !== undefined) row.forwarded = entry.forwarded;
  rows.set(entry, row);
  return row;
}
