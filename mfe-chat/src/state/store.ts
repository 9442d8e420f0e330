import { type ChatAction, chatReducer } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";

/** While messages pour in, the screen takes them in at this pace: each look at a long thread costs some milliseconds. */
export const VIEW_INTERVAL_MS = 50;

export interface Store {
  get: () => ChatState;
  dispatch: (action: ChatAction) => void;
  /** @returns the function that ends it */
  subscribe: (onChange: () => void) => () => void;
  /** For the screen: told at once as well, but of messages that follow on others in quick succession only now and then. */
  subscribeView: (onChange: () => void) => () => void;
}

/** The state outside of React: events change it between two renders, and only those who show a changed part render. */
export function createStore(first: ChatState): Store {
  let state = first;
  const listeners = new Set<() => void>();
  const views = new Set<() => void>();
  let toldViewsAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tellViews(): void {
    clearTimeout(timer);
    timer = undefined;
    toldViewsAt = performance.now();
    for (const view of [...views]) view();
  }

  const subscribeTo = (all: Set<() => void>) => (onChange: () => void) => {
    all.add(onChange);
    return () => all.delete(onChange);
  };

  return {
    get: () => state,
    dispatch(action) {
      const next = chatReducer(state, action);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
      const waitMs = action.type === "messagesReceived" ? toldViewsAt + VIEW_INTERVAL_MS - performance.now() : 0;
      if (waitMs <= 0) tellViews();
      else timer ??= setTimeout(tellViews, waitMs);
    },
    subscribe: subscribeTo(listeners),
    subscribeView: subscribeTo(views),
  };
}
