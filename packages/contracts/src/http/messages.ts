import * as v from "valibot";
import { attachment } from "../rules/attachments.ts";
import { draftText, id, int, isoTime, searchText, seq, wholeNumber } from "../rules/fields.ts";
import { PAGE_MAX_MESSAGES } from "../rules/limits.ts";
import { linkPreview } from "../rules/linkPreviews.ts";
import { endpoint } from "./endpoint.ts";
import { accountData } from "./users.ts";

/** Schema of the reaction of a member of the thread to a message. */
const reaction = v.object({ user_id: id, emoji: v.string() });

/** Schema of the text that a user has not sent yet, on any device. `rev` counts the times it was saved. */
export const draft = v.object({ text: draftText, rev: int });
export type Draft = v.InferOutput<typeof draft>;

/** Schema of a stored message. `seq` counts 1, 2, 3, ... without gaps within a thread. */
export const message = v.object({
  id,
  client_id: v.nullable(v.string()),
  thread_id: id,
  seq,
  sending_user_id: id,
  recipient_user_id: id,
  /** Empty only in a thread's starting message (`seq` 0), which clients do not show. */
  text: v.string(),
  timestamp: isoTime,
  /** Whether the recipient has read it. */
  read: v.boolean(),
  /** Number of the message that this one replies to, in the same thread. */
  reply_to: v.optional(seq),
  /** Files that it carries. Its text is the caption, or names them; see `captionOf`. */
  attachments: v.optional(v.array(attachment)),
  /** Preview of a link in its text. */
  preview: v.optional(linkPreview),
  /** How many times it was forwarded before it got here, at most {@link HOPS_MAX}. Nothing tells who wrote it first. */
  forwarded: v.optional(int),
  /** Number of the latest change of this message: the changes of a thread count 1, 2, 3, ... See changes.ts. */
  change: v.optional(seq),
  edited_at: v.optional(isoTime),
  edit_count: v.optional(int),
  /** When its sender deleted it for both. Its `text` is "deleted" then. */
  deleted_at: v.optional(isoTime),
  /** At most one of each member. */
  reactions: v.optional(v.array(reaction)),
  /** Who pinned it for both, and when. */
  pinned: v.optional(v.object({ by: id, at: isoTime })),
});
export type Message = v.InferOutput<typeof message>;

/**
 * Returns the empty message at the start of a thread (specification, section 4). It is never stored. It represents a
 * thread without messages for clients that build their threads from messages.
 * @param from id of the user who added the friend
 * @param to id of the friend
 */
export function startingMessage(thread: { thread_id: string; created_at: string }, from: string, to: string): Message {
  return {
    id: `${thread.thread_id}-0`,
    client_id: null,
    thread_id: thread.thread_id,
    seq: 0,
    sending_user_id: from,
    recipient_user_id: to,
    text: "",
    timestamp: thread.created_at,
    read: true,
  };
}

/** Schema of the state of a thread for one user. A client compares its own state with it to find missed events. */
export const threadState = v.object({
  thread_id: id,
  friend_id: id,
  last_seq: seq,
  /** Number of the latest change in the thread; 0 without changes. */
  last_change: v.optional(seq, 0),
  read_seq: seq,
  friend_read_seq: seq,
  friend_delivered_seq: seq,
  unread_count: int,
  /**
   * Null without messages and if the newest is hidden. Also null in the older threads of a list that would otherwise be
   * too large.
   */
  last_message: v.nullable(message),
  /** Numbers of the messages that the user has hidden. No list and no search of this user contains them. */
  hidden: v.optional(v.array(seq)),
  /** Numbers of the messages that the user has starred. */
  starred: v.optional(v.array(seq)),
  /** What the user last saved. Its text is empty after the message was sent. Absent if the user has never saved one. */
  draft: v.optional(draft),
});
export type ThreadState = v.InferOutput<typeof threadState>;

const userParams = v.object({ user_id: id });

/** Schema of a text that a message has or had, and since when. */
export const messageVersion = v.object({ text: v.string(), at: isoTime });
export type MessageVersion = v.InferOutput<typeof messageVersion>;

/** Schema of a message in a download, with its former texts, oldest first, and whether the user has starred it. */
export const exportedMessage = v.object({
  ...message.entries,
  edits: v.optional(v.array(messageVersion)),
  is_starred: v.optional(v.boolean()),
});
export type ExportedMessage = v.InferOutput<typeof exportedMessage>;

/**
 * Returns all data of the user: account, friends, sessions, drafts, the messages of all threads, and the user's own
 * messages to former friends, in this order. The response is a stream of any length, with one message per line. The
 * header {@link EXPORT_TOTAL_HEADER} contains the number of messages, as far as it is known at the start. 429 while
 * another download of the user runs.
 */
export const exportData = endpoint({
  method: "GET",
  path: "/messages/:user_id/export",
  params: userParams,
  response: v.object({
    ...accountData.entries,
    drafts: v.array(v.object({ thread_id: id, text: draftText })),
    messages: v.array(exportedMessage),
  }),
});
export const EXPORT_TOTAL_HEADER = "x-message-count";

/**
 * Lists messages. Without `thread_id`: the newest `limit` messages of each thread. With it: one page of a thread,
 * before or after a `seq`, ascending. With `search`: matches in the whole history, newest first; `before_id` continues
 * with matches older than that message. With `after_change`: the messages of a thread whose latest change has a higher
 * number, ascending by that number. With `from`: a page of a thread that begins with the first message at or after this
 * time. With `pinned`: the pinned messages of a thread, ascending. With `attached`: the newest messages of a thread
 * with attachments, or those before `before_seq`, ascending; `search` looks for names of files then.
 */
export const listMessages = endpoint({
  method: "GET",
  path: "/messages/:user_id",
  params: userParams,
  query: v.object({
    thread_id: v.optional(id),
    before_seq: v.optional(wholeNumber(1)),
    after_seq: v.optional(wholeNumber(0)),
    search: v.optional(searchText),
    before_id: v.optional(id),
    after_change: v.optional(wholeNumber(0)),
    from: v.optional(isoTime),
    pinned: v.optional(v.literal("true")),
    attached: v.optional(v.literal("true")),
    limit: v.optional(wholeNumber(1, PAGE_MAX_MESSAGES)),
  }),
  response: v.array(message),
});

/** Lists the state of each of the user's threads. */
export const listThreads = endpoint({
  method: "GET",
  path: "/threads/:user_id",
  params: userParams,
  response: v.array(threadState),
});

/** Moves the user's read marker of a thread to `seq`, or to its newest message. Markers only move forward. */
export const updateMessageRead = endpoint({
  method: "PUT",
  path: "/update_message_read",
  body: v.object({ thread_id: id, seq: v.optional(seq) }),
  response: v.object({ thread_id: id, user_id: id, seq }),
});

/** Schema of the message that a new one forwards. Its sender is a member of that thread. */
export const forwardOf = v.object({ thread_id: id, seq: v.pipe(seq, v.minValue(1)) });
