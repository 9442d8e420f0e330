import type { Message } from "@messageoh/contracts/messages";
import { PAGE_LIMIT, type SearchPage } from "../fetching/chatApi.ts";
import type { Store } from "../state/store.ts";
import type { Device } from "./database.ts";

/** The first load comes first. */
const KEEP_AFTER_MS = 1_000;

export interface OfflineOptions {
  store: Store;
  /** Opens the storage of the device; `null` if nothing may be stored. */
  openDevice: (() => Promise<Device>) | null;
}

export type Offline = ReturnType<typeof createOffline>;

const code = () => import("./chunk.ts");

/** Returns what the chat does without a network: it stores what it shows, and shows and searches what is stored. */
export function createOffline({ store, openDevice }: OfflineOptions) {
  let isKept = false;
  let stopSaving: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function begin(open: () => Promise<Device>): Promise<void> {
    try {
      const [{ startSaving }, device] = await Promise.all([code(), open()]);
      if (isKept) stopSaving = startSaving(store, device);
    } catch (error) {
      console.warn("The chat is not stored on this device", error);
    }
  }

  return {
    /** Shows what the device stores. Changes nothing if it stores nothing. */
    async show(): Promise<void> {
      if (!openDevice) return;
      try {
        const [{ fromStored }, device] = await Promise.all([code(), openDevice()]);
        const stored = await device.read();
        if (!stored) return;
        store.dispatch({ type: "restored", friends: stored.friends, threads: stored.threads.map(fromStored) });
      } catch (error) {
        console.warn("The chat could not be read from this device", error);
      }
    },
    /** Stores what the chat shows from now on. */
    keep(): void {
      if (isKept || !openDevice) return;
      isKept = true;
      timer = setTimeout(() => void begin(openDevice), KEEP_AFTER_MS);
    },
    stop(): void {
      isKept = false;
      clearTimeout(timer);
      stopSaving?.();
    },
    async search(text: string, before: Message | null, threadId?: string): Promise<SearchPage<Message>> {
      const { searchStored } = await code();
      const found = searchStored(store.get(), text, threadId);
      const start = before === null ? 0 : found.findIndex(({ id }) => id === before.id) + 1;
      const items = found.slice(start, start + PAGE_LIMIT);
      return { items, last: found.length > start + PAGE_LIMIT ? (items.at(-1) ?? null) : null };
    },
  };
}
