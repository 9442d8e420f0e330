import type { History } from "../fetching/history.ts";
import type { Notifications } from "../notifications/notifications.ts";
import { newClientId } from "../outbox/clientId.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Typing } from "../realtime/typing.ts";
import type { Store } from "../state/store.ts";
import { hasNewer } from "../state/thread/window.ts";
import type { Drafts } from "../storage/drafts.ts";

export interface MessageActionsOptions {
  store: Store;
  history: History;
  drafts: Drafts;
  outbox: Outbox;
  typing: Typing;
  notifications: Notifications;
  answerNotice: (friendId: string) => void;
}

/** Returns the actions of the open thread: writing, sending and reading messages. */
export function createMessageActions(options: MessageActionsOptions) {
  const { store, history, drafts, outbox, typing, notifications, answerNotice } = options;

  function saveDraft(threadId: string, text: string): void {
    drafts.save(threadId, text);
    store.dispatch({ type: "draftsChanged", threadIds: [threadId], isDraft: text.trim() !== "" });
  }

  return {
    send(threadId: string, text: string): void {
      const { threads, friends } = store.get();
      const thread = threads.get(threadId);
      if (!thread || text.trim() === "") return;
      const { friendId, composing } = thread;
      outbox.add({
        client_id: newClientId(),
        thread_id: threadId,
        recipient_user_id: friendId,
        text: text.trimEnd(),
        ...(composing?.kind === "reply" ? { reply_to: composing.seq } : {}),
      });
      if (composing) store.dispatch({ type: "composingChanged", threadId, composing: null });
      // The first own message answers the notice.
      if (friends.get(friendId)?.has_notice) answerNotice(friendId);
      notifications.offer();
      saveDraft(threadId, "");
      typing.ended(threadId);
      if (hasNewer(thread)) void history.goToLatest(threadId);
    },
    retry: outbox.retry,
    /** Deletes an unsent message. Returns false if it is being sent by now, in which case it stays. */
    delete: outbox.delete,
    loadOlder: history.loadOlder,
    loadNewer: history.loadNewer,
    loadQuoted: history.loadQuoted,
    jumpToLatest: (threadId: string) => void history.goToLatest(threadId),
    /** Returns the unsent draft of a thread. */
    draftOf: drafts.of,
    saveDraft,
    /** Call on every input; it is throttled. */
    notifyTyping: typing.notify,
  };
}
