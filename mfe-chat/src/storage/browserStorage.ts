import type { KeyValueStorage } from "../outbox/outboxStorage.ts";

const kept = new Map<string, string>();
const untilClosed: KeyValueStorage = {
  get length() {
    return kept.size;
  },
  key: (index) => [...kept.keys()][index] ?? null,
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
};

/** Returns `localStorage`, or a storage that lasts until the page is closed if the browser forbids it. */
export function browserStorage(): KeyValueStorage {
  try {
    return localStorage;
  } catch (error) {
    console.warn("The browser forbids storage, so unsent messages and drafts last until the page is closed", error);
    return untilClosed;
  }
}
