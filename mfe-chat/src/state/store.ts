import { type ChatAction, chatReducer } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";

/**
 * Minimum time between two view updates during a burst of messages, because rendering a long thread takes milliseconds.
 */
export const VIEW_INTERVAL_MS = 50;

export type Store = ReturnType<typeof createStore>;

/**
 * Returns the state outside of React. Events change it between renders; only components that show a changed part
 * render.
 */
export function createStore(first: ChatState) {
  let state = first;
  const listeners = new Set<() => void>();
  const views = new Set<() => void>();
  let viewsUpdatedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function updateViews(): void {
    clearTimeout(timer);
    timer = undefined;
    viewsUpdatedAt = performance.now();
    for (const view of [...views]) view();
  }

  const subscribeTo = (all: Set<() => void>) => (onChange: () => void) => {
    all.add(onChange);
    return () => all.delete(onChange);
  };

  return {
    get: () => state,
    /** Applies actions in order and then notifies once. */
    dispatch(...actions: ChatAction[]): void {
      const next = actions.reduce(chatReducer, state);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
      const isMessage = actions.every(({ type }) => type === "messagesReceived" || type === "messagesChanged");
      const waitMs = isMessage ? viewsUpdatedAt + VIEW_INTERVAL_MS - performance.now() : 0;
      if (waitMs <= 0) updateViews();
      else timer ??= setTimeout(updateViews, waitMs);
    },
    /** Returns a function that unsubscribes. */
    subscribe: subscribeTo(listeners),
    /** For the view: like `subscribe`, but throttled during a burst of messages. */
    subscribeView: subscribeTo(views),
  };
}
