/** The subset of `localStorage` that the chat uses. */
export type KeyValueStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

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

/**
 * Returns access to the keys with a prefix that never throws: a storage that is full or forbidden loses what it gets.
 * @param what the stored things, for the log
 */
export function storedUnder(prefix: string, storage: KeyValueStorage, what: string) {
  function attempt<Result>(act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      console.warn(`${what} could not be stored`, error);
      return undefined;
    }
  }

  function keys(): string[] {
    const all = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
    return all.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  return {
    keys: () => attempt(keys) ?? [],
    get: (key: string) => attempt(() => storage.getItem(prefix + key)) ?? null,
    /** Returns whether the value is stored. */
    set: (key: string, value: string) => attempt(() => storage.setItem(prefix + key, value) ?? true) ?? false,
    remove: (key: string) => void attempt(() => storage.removeItem(prefix + key)),
  };
}

/** Returns the value that a JSON text stands for, or `null` for any other text. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
