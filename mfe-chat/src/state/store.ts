import { type ChatAction, chatReducer } from "./chatReducer.ts";
import type { ChatState } from "./chatState.ts";

export interface Store {
  get: () => ChatState;
  dispatch: (action: ChatAction) => void;
  /** @returns the function that ends it */
  subscribe: (onChange: () => void) => () => void;
}

/** The state outside of React: events change it between two renders, and only those who show a changed part render. */
export function createStore(first: ChatState): Store {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = chatReducer(state, action);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
