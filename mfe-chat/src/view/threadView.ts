import type { Message } from "@messageoh/contracts/messages";
import { isDeletable } from "../outbox/queue.ts";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import { keyOf } from "../state/thread/message.ts";
import { newestOf, type Segment, segmentWith } from "../state/thread/segments.ts";
import type { ThreadData } from "../state/thread/thread.ts";
import { countUnread, hasGap, isTailReady, unsentOf } from "../state/thread/threadRules.ts";
import type { SendState, Thread, ThreadMessage } from "./model.ts";

const NO_SEGMENT: Segment = { from: 0, to: 0, messages: [] };

/** Returns a selector from a thread's state to its view. Unchanged parts keep their identity. */
export function createThreadView(userId: string) {
  const shown = new WeakMap<Message, ThreadMessage>();
  const unsent = new WeakMap<QueuedMessage, ThreadMessage>();
  const lists = new WeakMap<ThreadData, Thread>();

  function showStored(message: Message, thread: ThreadData): ThreadMessage {
    const isMine = message.sending_user_id === userId;
    const sendState = isMine ? sendStateOf(message.seq, thread) : null;
    const before = shown.get(message);
    if (before?.sendState === sendState) return before;
    const { id, thread_id: threadId, seq, text, timestamp } = message;
    const view: ThreadMessage = { key: keyOf(message, userId), id, threadId, seq, isMine, text, timestamp, sendState };
    shown.set(message, view);
    return view;
  }

  function showUnsent(entry: QueuedMessage): ThreadMessage {
    const before = unsent.get(entry);
    if (before) return before;
    const { client_id, thread_id: threadId, text, timestamp, state: sendState, reason } = entry;
    const view: ThreadMessage = {
      key: client_id,
      id: timestamp,
      threadId,
      seq: null,
      isMine: true,
      text,
      timestamp,
      sendState,
    };
    if (reason !== undefined) view.notSentReason = reason;
    if (isDeletable(entry)) view.isDeletable = true;
    unsent.set(entry, view);
    return view;
  }

  return function viewThread(thread: ThreadData, isFriendTyping: boolean, previous: Thread | undefined): Thread {
    const known = lists.get(thread);
    if (known) return known.isFriendTyping === isFriendTyping ? known : { ...known, isFriendTyping };

    const { segments, knownSeq, viewSeq } = thread;
    const window = segmentWith(segments, viewSeq ?? knownSeq) ?? NO_SEGMENT;
    const isAtEnd = window.to >= knownSeq;
    const waiting = unsentOf(thread, userId).map(showUnsent);
    const messages = window.messages.filter(isShown).map((message) => showStored(message, thread));
    if (isAtEnd) messages.push(...ownBeyond(thread).map((message) => showStored(message, thread)), ...waiting);
    const newest = newestOf(segments);
    const view: Thread = {
      threadId: thread.threadId,
      friendParticipantId: thread.friendId,
      messages: previous && isSameList(previous.messages, messages) ? previous.messages : messages,
      hasOlder: window.from > 1,
      hasNewer: !isAtEnd,
      isLoaded: viewSeq !== null || isTailReady(thread),
      isGapLoading: isAtEnd && hasGap(thread),
      loadError: thread.hasFailed,
      unreadCount: countUnread(thread),
      firstUnreadSeq: firstUnreadIn(window, thread),
      lastMessage: waiting.at(-1) ?? (newest && isShown(newest) ? showStored(newest, thread) : null),
      isFriendTyping,
    };
    lists.set(thread, view);
    return view;
  };

  /** Own messages stored beyond a gap; they were visible before and must stay so while it is filled. */
  function ownBeyond({ segments, knownSeq }: ThreadData): Message[] {
    return segments
      .filter(({ from }) => from > knownSeq)
      .flatMap(({ messages }) => messages)
      .filter((message) => message.sending_user_id === userId && isShown(message));
  }

  function firstUnreadIn(window: Segment, { newFromSeq }: ThreadData): number | null {
    if (newFromSeq === null || window.from > newFromSeq) return newFromSeq;
    const first = window.messages.find(({ seq, sending_user_id }) => seq >= newFromSeq && sending_user_id !== userId);
    return first?.seq ?? newFromSeq;
  }
}

const isShown = (message: Message) => message.text !== "";

function sendStateOf(seq: number, { friendReadSeq, friendDeliveredSeq }: ThreadData): SendState {
  if (seq <= friendReadSeq) return "read";
  return seq <= friendDeliveredSeq ? "delivered" : "sent";
}

const isSameList = (before: readonly ThreadMessage[], after: readonly ThreadMessage[]) =>
  before.length === after.length && before.every((message, index) => message === after[index]);
