import type { Breakage } from "./breakage.ts";

/** Real browsers, which take the built front ends. */
const WITH_PAGES = ["--pages", "2", "--minutes", "0.2"];
/** Many actions, among them edits and deletions. */
const WITH_CHANGES = ["--actions", "6", "--minutes", "0.3"];
/** Prepares the rows of a thread. */
const GROUP = "groupByDay(messages, unreadSeq)";

/** Breakages of what a client shows. */
export const SHOWING: readonly Breakage[] = [
  {
    name: "the client does not catch up",
    find: "  async function compare(isCurrent: () => boolean): Promise<void> {",
    replace: "  async function compare(isCurrent: () => boolean): Promise<void> {\n    if (Date.now() > 0) return;",
    check: "a tab shows each message",
    faults: ["cut off a third of the clients", "kill a realtime instance"],
  },
  {
    name: "the client shows a message twice",
    find: "(hasNewer(thread) ? window : [...window, ...ownBeyond])",
    replace: "[...window, ...window.slice(-1)]",
    check: "a tab shows a message once",
  },
  {
    name: "the client does not sort",
    find: "messages: parts.flatMap((part) => part.messages).sort((a, b) => a.seq - b.seq),",
    replace: "messages: parts.flatMap((part) => part.messages).reverse(),",
    check: "a tab shows messages in order",
  },
  {
    name: "the client ignores changes of messages that it shows",
    find: "  if (changed.length === 0) return segments;",
    replace: "  if (changed.length >= 0) return segments;",
    check: "a tab shows the newest state of each message",
    load: WITH_CHANGES,
  },
  {
    name: "a deletion keeps the text",
    find: "$set: { text: REMOVED_TEXT, deleted_at: new Date(now) },",
    replace: "$set: { text: row.text, deleted_at: new Date(now) },",
    check: "a deleted message stays deleted",
    load: WITH_CHANGES,
  },
  {
    name: "the list of threads is old",
    find: "        const last_seq = last?.seq ?? 0;\n        const own",
    replace: "        const last_seq = Math.max(0, (last?.seq ?? 0) - 2);\n        const own",
    check: "a thread list is not stale",
  },
  {
    name: "unread counts include own messages",
    find: '    const isUnread = { $cond: [{ $eq: ["$recipient_user_id", user_id] }, 1, 0] };',
    replace: "    const isUnread = 1;",
    check: "unread counts equal the model",
  },
  {
    name: "the server forgets read markers",
    find: "      await api.markRead(threadId, seq);\n",
    replace: "",
    check: "ticks arrive",
  },
  {
    name: "a message counts as delivered before it is",
    find: ": seq <= friendDeliveredSeq ?",
    replace: ": seq > 0 || seq <= friendDeliveredSeq ?",
    check: "delivered ticks are true",
  },
  {
    name: "a delivered message counts as read",
    find: "seq <= friendReadSeq ?",
    replace: "seq <= Math.max(friendReadSeq, friendDeliveredSeq) ?",
    check: "read ticks are true",
  },
  {
    name: "the page leaves out a message",
    find: GROUP,
    replace: "groupByDay(messages.filter(({ seq }) => seq !== 2), unreadSeq)",
    check: "a page shows each message",
    load: WITH_PAGES,
  },
  {
    name: "the page shows the newest message first",
    find: GROUP,
    replace: "groupByDay(messages.toReversed(), unreadSeq)",
    check: "a page shows messages once, in order",
    load: WITH_PAGES,
  },
  {
    name: "the page does not show that a message was read",
    find: "message.sendState ? <SendStateMark state={message.sendState} />",
    replace: 'message.sendState ? <SendStateMark state={message.sendState === "read" ? "sent" : message.sendState} />',
    check: "a page shows read ticks",
    load: WITH_PAGES,
  },
];
