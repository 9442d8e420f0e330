import type { KeyValueStorage } from "../src/storage/outboxStorage.ts";

/** `localStorage` for tests, with what another tab would be told of each change. */
export function memoryStorage(onEvent: (event: { key: string; newValue: string | null }) => void = () => undefined) {
  const values = new Map<string, string>();
  const storage: KeyValueStorage = {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      values.set(key, value);
      onEvent({ key, newValue: value });
    },
    removeItem(key) {
      if (values.delete(key)) onEvent({ key, newValue: null });
    },
  };
  return { storage, values };
}
