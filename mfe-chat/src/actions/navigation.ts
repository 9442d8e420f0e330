import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import type { ChatPageProps } from "@messageoh/contracts/frontends";
import type { Message } from "@messageoh/contracts/messages";
import type { ChatApi } from "../fetching/chatApi.ts";
import type { History } from "../fetching/history.ts";
import type { MessageReference } from "../links/messageLink.ts";
import type { Store } from "../state/store.ts";
import { isHidden } from "../state/thread/privateMarks.ts";
import { messageAt } from "../state/thread/segments.ts";
import { messageKey } from "../state/thread/shownMessages.ts";
import { isLoaded, windowOf } from "../state/thread/window.ts";

export interface NavigationOptions {
  api: Pick<ChatApi, "firstFrom">;
  store: Store;
  history: History;
  navigate: ChatPageProps["navigate"];
}

/** Returns the actions that open a thread or a message. */
export function createNavigation({ api, store, history, navigate }: NavigationOptions) {
  /** Navigates to /home/:friendId or /home. A thread that is open already is shown, whatever covers it. */
  function openThread(friendId: string | null): void {
    if (friendId === store.get().openFriendId) store.dispatch({ type: "friendOpened", friendId });
    else navigate(friendId === null ? "/home" : `/home/${encodeURIComponent(friendId)}`);
  }

  /**
   * Opens the thread of a message, loads a window around the message and sets `jump`, unless the user goes elsewhere
   * meanwhile. A failure is shown in the thread.
   */
  async function jumpToMessage(reference: MessageReference): Promise<void> {
    const { thread_id: threadId, seq } = reference;
    const thread = store.get().threads.get(threadId);
    if (!thread) return;
    const fetched = history.goTo(reference);
    openThread(thread.friendId);
    const outcome = await fetched;
    const loaded = store.get().threads.get(threadId);
    // A thread that is not loaded shows the failure instead of its messages.
    if (outcome === "failed" && loaded && isLoaded(loaded))
      store.dispatch({ type: "noticeShown", threadId, text: GENERIC_ERROR });
    const message = loaded && messageAt(loaded.segments, seq);
    if (outcome === "shown" && message && !isHidden(loaded, seq))
      store.dispatch({ type: "jumped", threadId, key: messageKey(message, thread.friendId) });
  }

  /** Returns the first message of a thread at or after a time, or nothing if there is none. Rejects with ApiError. */
  async function findFrom(threadId: string, time: Date): Promise<Message | undefined> {
    const { isFromDevice, threads } = store.get();
    const thread = threads.get(threadId);
    if (!thread || !isFromDevice) return api.firstFrom(threadId, time.toISOString());
    return windowOf(thread).messages.find(({ timestamp }) => Date.parse(timestamp) >= time.getTime());
  }

  return { openThread, jumpToMessage, findFrom };
}
