import { safeParse } from "@messageoh/contracts/parse";
import type * as v from "valibot";
import { type KeyValueStorage, parseJson, storedUnder } from "./browserStorage.ts";

export interface EntryStorageOptions<Entry> {
  prefix: string;
  /** The entries, for the log. */
  what: string;
  schema: v.GenericSchema<unknown, Entry>;
  idOf: (entry: Entry) => string;
}

export type EntryStorage<Entry> = ReturnType<typeof createEntryStorage<Entry>>;

/** Stores one key per entry, so that tabs that write simultaneously do not overwrite each other's list. */
export function createEntryStorage<Entry>(storage: KeyValueStorage, options: EntryStorageOptions<Entry>) {
  const { prefix, what, schema, idOf } = options;
  // If storage is full or forbidden, an entry is sent from memory while this tab is open.
  const stored = storedUnder(prefix, storage, what);
  const parse = (text: string | null): Entry | null => safeParse(schema, parseJson(text)).data ?? null;
  return {
    idOf,
    readAll: (): Entry[] => stored.keys().flatMap((id) => parse(stored.get(id)) ?? []),
    /** Returns whether the entry is stored. */
    write: (entry: Entry): boolean => stored.set(idOf(entry), JSON.stringify(entry)),
    remove: stored.remove,
    /** Returns the change that another tab made according to a storage event, or `undefined` for other keys. */
    readEvent({ key, newValue }: Pick<StorageEvent, "key" | "newValue">) {
      if (!key?.startsWith(prefix)) return undefined;
      return { id: key.slice(prefix.length), entry: parse(newValue) };
    },
  };
}
