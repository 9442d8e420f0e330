import type { ChatState } from "../state/chatState.ts";
import type { Store } from "../state/store.ts";
import type { Thread } from "../state/thread/thread.ts";
import type { Device } from "./database.ts";
import { threadsToKeep, toStored } from "./storedThread.ts";

/** Changes within this time are stored together. */
const SAVE_AFTER_MS = 1_000;

/**
 * Stores what the chat shows, now and after each change. Returns a function that stops it.
 */
export function startSaving(store: Store, device: Device): () => void {
  let saved: ReadonlySet<Thread> = new Set();
  let last: ChatState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaving = false;
  let isStopped = false;

  async function save(): Promise<void> {
    timer = undefined;
    const state = store.get();
    const kept = threadsToKeep(state);
    const changed = kept.filter((thread) => !saved.has(thread));
    isSaving = true;
    try {
      await device.save(
        [...state.friends.values()],
        changed.map(toStored),
        new Set(kept.map(({ threadId }) => threadId)),
      );
      saved = new Set(kept);
      last = state;
    } catch (error) {
      // Storage is full or forbidden: the app works without it. The next change tries again.
      console.warn("The chat could not be stored on this device", error);
      last = state;
    }
    isSaving = false;
    schedule();
  }

  function schedule(): void {
    const state = store.get();
    const isChanged = state.threads !== last?.threads || state.friends !== last.friends;
    if (isChanged && !isSaving && !isStopped) timer ??= setTimeout(save, SAVE_AFTER_MS);
  }

  const unsubscribe = store.subscribe(schedule);
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    unsubscribe();
  };
}
