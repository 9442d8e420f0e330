import type { FileBytes } from "../outbox/fileStore.ts";
import { ACCOUNT, change, result, withDatabase } from "./database.ts";

const PREFIX = "file:";
/** All keys that begin with {@link PREFIX}. */
const ALL = () => IDBKeyRange.bound(PREFIX, `${PREFIX}\uffff`);

interface StoredFile {
  bytes: Blob;
  /** ms. */
  at: number;
}

/**
 * Returns the storage of files in the database of the device, which the shell deletes at the end of the session. They
 * are beside the account, because a new object store would need a version of the database that an earlier release
 * cannot open.
 */
export function createDeviceFiles(name: string): FileBytes {
  const changeFiles = (use: (store: IDBObjectStore) => void | Promise<void>) =>
    change(name, [ACCOUNT], (transaction) => use(transaction.objectStore(ACCOUNT)));

  return {
    put: (key, bytes) =>
      changeFiles((store) => void store.put({ bytes, at: Date.now() } satisfies StoredFile, PREFIX + key)),
    get: (key) =>
      withDatabase(name, async (database) => {
        const stored: StoredFile | undefined = await result(
          database
            .transaction(ACCOUNT)
            .objectStore(ACCOUNT)
            .get(PREFIX + key),
        );
        return stored?.bytes;
      }),
    remove: (keys) =>
      changeFiles((store) => {
        for (const key of keys) store.delete(PREFIX + key);
      }),
    sweep: (used, olderThan) =>
      changeFiles(async (store) => {
        for (const key of await result(store.getAllKeys(ALL()))) {
          if (used.has(String(key).slice(PREFIX.length))) continue;
          const stored: StoredFile | undefined = await result(store.get(key));
          if (stored && stored.at < olderThan) store.delete(key);
        }
      }),
  };
}
