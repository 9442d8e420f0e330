import { type ChatState, openThreadOf } from "./chatState.ts";
import { newThread, type Thread } from "./thread/thread.ts";
import { isTailReady } from "./thread/window.ts";

export function changeThread(state: ChatState, threadId: string, change: (thread: Thread) => Thread): ChatState {
  const thread = state.threads.get(threadId);
  if (!thread) return state;
  const changed = change(thread);
  return changed === thread ? state : { ...state, threads: new Map(state.threads).set(threadId, changed) };
}

export interface ThreadChange {
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
    const ofThread = <Entry extends { thread_id: string }>(entries: readonly Entry[]) =>
      entries.filter((entry) => entry.thread_id === threadId);
    const changed = change(known ?? newThread(threadId, friendId, ofThread(state.outbox), ofThread(state.pending)));
    if (changed === known) continue;
    isChanged = true;
    threads.set(threadId, changed);
    if (!known) threadIdOf.set(friendId, threadId);
  }
  return isChanged ? { ...state, threads, threadIdOf } : state;
}

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

/** Returns the state with members in one of its sets, or without them. */
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
