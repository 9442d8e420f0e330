import type { KeyValueStorage } from "../src/storage/browserStorage.ts";

/** Returns a test double of `localStorage` that records the storage event of each change for other tabs. */
export function memoryStorage(
  onEvent: (event: { key: string; newValue: string | null }) => void = () => undefined,
  values = new Map<string, string>(),
) {
  const storage: KeyValueStorage = {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      if (values.get(key) === value) return;
      values.set(key, value);
      onEvent({ key, newValue: value });
    },
    removeItem(key) {
      if (values.delete(key)) onEvent({ key, newValue: null });
    },
  };
  return { storage, values };
}
