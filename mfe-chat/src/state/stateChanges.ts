import type { Message } from "@messageoh/contracts/messages";
import type { QueuedMessage } from "../outbox/queuedMessage.ts";
import { type ChatState, openThreadOf } from "./chatState.ts";
import { orderTime } from "./thread/order.ts";
import { newThread, type Thread } from "./thread/thread.ts";
import { addMessages, type PageRequest } from "./thread/threadRules.ts";
import { isTailReady } from "./thread/window.ts";

export function changeThread(state: ChatState, threadId: string, change: (thread: Thread) => Thread): ChatState {
  const thread = state.threads.get(threadId);
  if (!thread) return state;
  const changed = change(thread);
  return changed === thread ? state : { ...state, threads: new Map(state.threads).set(threadId, changed) };
}

interface ThreadChange {
  threadId: string;
  friendId: string;
  change: (thread: Thread) => Thread;
}

/** Returns the state with changed threads, which are created if they are unknown. */
export function withThreads(state: ChatState, changes: readonly ThreadChange[]): ChatState {
  const threads = new Map(state.threads);
  const threadIdOf = new Map(state.threadIdOf);
  let isChanged = false;
  for (const { threadId, friendId, change } of changes) {
    const known = threads.get(threadId);
    const changed = change(known ?? newThread(threadId, friendId, outboxOf(state.outbox, threadId)));
    if (changed === known) continue;
    isChanged = true;
    threads.set(threadId, changed);
    if (!known) threadIdOf.set(friendId, threadId);
  }
  return isChanged ? { ...state, threads, threadIdOf } : state;
}

/** Adds messages of any threads, or of one thread if they respond to a request. */
export function withMessages(state: ChatState, messages: readonly Message[], request?: PageRequest): ChatState {
  const changes: ThreadChange[] = [];
  for (const [threadId, ofThread] of Map.groupBy(messages, (message) => message.thread_id)) {
    const friendId = friendIn(ofThread[0], state.me.id);
    if (friendId !== undefined)
      changes.push({ threadId, friendId, change: (thread) => addMessages(thread, ofThread, request) });
  }
  return withThreads(state, changes);
}

/** Returns the other participant: the sender or, for the user's own message, the recipient. */
const friendIn = (message: Message | undefined, userId: string): string | undefined =>
  message?.sending_user_id === userId ? message.recipient_user_id : message?.sending_user_id;

/** Changes the open thread if it is visible. A thread that has enough messages needs no first page. */
export function changeOpen(state: ChatState, change: (thread: Thread) => Thread): ChatState {
  const open = openThreadOf(state);
  if (!open) return state;
  return changeThread(state, open.threadId, (thread) => {
    const seen = state.isVisible ? change(thread) : thread;
    const isShown = !seen.isTracked && isTailReady(seen);
    return isShown ? { ...seen, isTracked: true } : seen;
  });
}

export function endTyping(state: ChatState, messages: readonly Message[]): ChatState {
  const ended = messages
    .filter((message) => message.sending_user_id !== state.me.id && state.typingIn.has(message.thread_id))
    .map((message) => message.thread_id);
  return withSet(state, "typingIn", ended, false);
}

export function withOutbox(state: ChatState, outbox: readonly QueuedMessage[]): ChatState {
  const threads = new Map(state.threads);
  for (const [threadId, thread] of threads) {
    const ofThread = outboxOf(outbox, threadId);
    const isSame =
      ofThread.length === thread.outbox.length && ofThread.every((entry, index) => entry === thread.outbox[index]);
    if (!isSame) threads.set(threadId, { ...thread, outbox: ofThread });
  }
  return { ...state, outbox, threads };
}

const outboxOf = (outbox: readonly QueuedMessage[], threadId: string) =>
  outbox.filter((entry) => entry.thread_id === threadId);

/** Uses message times instead of this clock, so that any later message of another friend sorts above. */
export const aboveAll = (state: ChatState) =>
  [...state.threads.values()].reduce((latest, thread) => Math.max(latest, orderTime(thread) + 1), 0);

export function withSet(
  state: ChatState,
  name: "onlineIds" | "typingIn" | "draftIn",
  members: readonly string[],
  isIn: boolean,
): ChatState {
  const set = state[name];
  if (members.every((member) => set.has(member) === isIn)) return state;
  const others = [...set].filter((member) => !members.includes(member));
  return { ...state, [name]: new Set(isIn ? [...others, ...members] : others) };
}

/** Sets when users were last online; `undefined` makes it unknown, for example because they are online. */
export function withLastSeen(state: ChatState, userIds: readonly string[], at: string | undefined): ChatState {
  if (userIds.every((userId) => state.lastSeenAt.get(userId) === at)) return state;
  const lastSeenAt = new Map(state.lastSeenAt);
  for (const userId of userIds) {
    if (at === undefined) lastSeenAt.delete(userId);
    else lastSeenAt.set(userId, at);
  }
  return { ...state, lastSeenAt };
}
