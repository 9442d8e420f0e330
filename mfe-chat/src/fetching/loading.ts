import type { Store } from "../state/store.ts";
import type { ChatApi } from "./chatApi.ts";

export interface LoadingOptions {
  api: Pick<ChatApi, "friends" | "previews" | "threads">;
  store: Store;
  onLoaded: () => void;
}

/** Returns the loader of all friends and threads. A failure is shown, unless the chat shows what the device stores. */
export function createLoading({ api, store, onLoaded }: LoadingOptions) {
  let attempt = 0;
  return {
    async load(): Promise<void> {
      attempt += 1;
      const own = attempt;
      const { friends: before, markLog } = store.get();
      try {
        const [friends, messages, threads] = await Promise.all([api.friends(), api.previews(), api.threads()]);
        if (own !== attempt) return;
        // A preview may lack a change that the list counts, so it serves only where the list has no last message.
        const listed = new Set(threads.filter((thread) => thread.last_message).map((thread) => thread.thread_id));
        const previews = messages.filter(({ thread_id }) => !listed.has(thread_id));
        store.dispatch(
          { type: "deviceLeft" },
          { type: "friendsListed", friends, before },
          { type: "previewsListed", messages: previews },
          { type: "threadsSynced", threads, marksFrom: markLog.length },
          { type: "statusChanged", status: "ready" },
        );
        onLoaded();
      } catch (error) {
        if (own !== attempt) return;
        console.warn("The chat could not be loaded", error);
        if (!store.get().isFromDevice) store.dispatch({ type: "statusChanged", status: "failed" });
      }
    },
    /** Ignores the responses to calls that are under way. */
    cancel(): void {
      attempt += 1;
    },
  };
}
