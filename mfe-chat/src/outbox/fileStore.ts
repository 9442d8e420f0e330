/** Storage of bytes that survives a reload. */
export interface FileBytes {
  put: (key: string, bytes: Blob) => Promise<void>;
  get: (key: string) => Promise<Blob | undefined>;
  remove: (keys: readonly string[]) => Promise<void>;
  /** Removes what was stored before `olderThan` (ms) and is not among `used`. */
  sweep: (used: ReadonlySet<string>, olderThan: number) => Promise<void>;
}

/** Bytes without a message are kept this long, because another tab stores them before the message. */
const SWEEP_AFTER_MS = 24 * 3_600_000;

export type FileStore = ReturnType<typeof createFileStore>;

/**
 * Returns the bytes of files that are not sent: in memory, and on the device if that has space.
 * @param open opens the storage of the device; `null` if nothing may be stored
 * @param isEnded returns whether the session has ended, so that the shell deletes the storage of the device
 */
export function createFileStore(open: (() => Promise<FileBytes>) | null, isEnded = () => false) {
  const held = new Map<string, Blob>();
  /** Keys of files that only this tab has. */
  const unsaved = new Set<string>();

  async function onDevice<Result>(use: (bytes: FileBytes) => Promise<Result>): Promise<Result | undefined> {
    try {
      return open ? await use(await open()) : undefined;
    } catch (error) {
      console.warn("The device could not store or find a file", error);
      return undefined;
    }
  }

  return {
    hold(key: string, bytes: Blob): void {
      held.set(key, bytes);
      unsaved.add(key);
    },
    /** Returns whether a reload would find these files. */
    areSaved: (keys: readonly string[]): boolean => !keys.some((key) => unsaved.has(key)),
    /** Stores held files on the device. Resolves with whether they are stored. */
    async save(keys: readonly string[]): Promise<boolean> {
      for (const key of keys) {
        const bytes = held.get(key);
        if (!bytes) continue;
        const isSaved = await onDevice(async (device) => {
          // Storing it would create the deleted storage again.
          if (!isEnded()) await device.put(key, bytes);
          return true;
        });
        if (!isSaved) return false;
        // The user may change or delete the file itself.
        if (unsaved.delete(key)) held.delete(key);
        // Cancelled meanwhile.
        else await onDevice((device) => device.remove([key]));
      }
      return true;
    },
    /** Resolves with `undefined` if this browser does not have it any more. */
    get: async (key: string): Promise<Blob | undefined> => held.get(key) ?? (await onDevice(({ get }) => get(key))),
    remove(keys: readonly string[]): void {
      const saved = keys.filter((key) => !unsaved.has(key));
      for (const key of keys) {
        held.delete(key);
        unsaved.delete(key);
      }
      if (saved.length > 0) void onDevice(({ remove }) => remove(saved));
    },
    /** Removes files that a crash left behind. */
    sweep: (used: readonly string[], now: number): void =>
      void onDevice((device) => device.sweep(new Set(used), now - SWEEP_AFTER_MS)),
  };
}
