import { captionOf, textWithoutCaption } from "@messageoh/contracts/attachments";
import type { ApiError } from "@messageoh/contracts/client";
import { errorText } from "@messageoh/contracts/errorText";
import { MESSAGE_DELETED } from "@messageoh/contracts/errorTexts";
import type { Outbox } from "../outbox/outbox.ts";
import type { PendingChange } from "../pending/pendingChange.ts";
import type { PendingQueue } from "../pending/pendingQueue.ts";
import type { Store } from "../state/store.ts";
import { composingOf, type Edit } from "../state/thread/composing.ts";
import { seqOf } from "../state/thread/isThere.ts";
import { isEditable } from "../state/thread/messageRights.ts";
import { messageAt } from "../state/thread/segments.ts";
import { shownMessages, type ThreadMessage } from "../state/thread/shownMessages.ts";
import type { Composing } from "../state/thread/thread.ts";
import type { DraftActions } from "./drafts.ts";

/** Shown for a change of an unsent message that is being sent by now. */
export const TOO_LATE = "The message is already on its way";
/** Shown for an edit of a message that was given up meanwhile: the server may have it. */
const NOT_SENT = "The message was not sent. Try to send it again first";

export interface ChangeActionsOptions {
  store: Store;
  queue: Pick<PendingQueue, "add" | "listen">;
  outbox: Pick<Outbox, "edit">;
  drafts: Pick<DraftActions, "restore" | "saved">;
}

/** Returns the actions that change messages. The queue keeps the changes until the server has confirmed them. */
export function createChangeActions({ store, queue, outbox, drafts }: ChangeActionsOptions) {
  /** What was typed in the edit in the composer of each thread, by thread id. The thread can be left meanwhile. */
  const typed = new Map<string, { key: string; text: string }>();

  queue.listen({
    onStored(stored) {
      if ("draft" in stored) drafts.saved(stored.thread_id, stored.draft);
      else if ("text" in stored) store.dispatch({ type: "messagesChanged", messages: [stored] });
      else store.dispatch({ type: "messageMarked", change: stored });
    },
    onRefused: handleRefusal,
  });

  function handleRefusal(change: PendingChange, error: ApiError): void {
    const { thread_id: threadId } = change;
    // The draft stays on this device.
    if (change.kind === "draft") return;
    // The text is not lost: the user can compare it with the message, or send it.
    if (change.kind === "edit" && error.serverMessage !== MESSAGE_DELETED) {
      const { segments = [] } = store.get().threads.get(threadId) ?? {};
      const caption = captionOf({ text: change.text, attachments: messageAt(segments, change.seq)?.attachments });
      if (caption !== "") drafts.restore(threadId, caption);
    }
    store.dispatch({ type: "noticeShown", threadId, text: errorText(error) });
  }

  function compose(threadId: string, composing: Composing | null): void {
    if (composing?.kind !== "edit" || composing.key !== typed.get(threadId)?.key) typed.delete(threadId);
    store.dispatch({ type: "composingChanged", threadId, composing });
  }

  /** Returns the text of an edit: the typed one, or that of the message. */
  function textOf(threadId: string, { key, text }: Edit): string {
    const known = typed.get(threadId);
    return known?.key === key ? known.text : text;
  }

  function startEdit({ threadId, key, seq, text, editCount: base = 0, attachments }: ThreadMessage): void {
    compose(threadId, { kind: "edit", key, seq, text, base, attachments });
  }

  return {
    /** Lets the composer reply to a stored message. */
    startReply: (threadId: string, seq: number) => compose(threadId, { kind: "reply", seq }),
    /** Puts the text of an own message into the composer. */
    startEdit,
    /** Edits the newest own message that can be edited. Returns whether there is one. */
    editLast(threadId: string): boolean {
      const thread = store.get().threads.get(threadId);
      const last = thread && shownMessages(thread).findLast((message) => isEditable(message, Date.now()));
      if (last) startEdit(last);
      return last !== undefined;
    },
    stopComposing: (threadId: string) => compose(threadId, null),
    textOf,
    /** Keeps what the user has typed in an edit until its end. */
    keepTyped: (threadId: string, { key }: Edit, text: string) => void typed.set(threadId, { key, text }),
    /** Returns whether the text of an edit has changed and is not saved. */
    hasTyped: (): boolean =>
      [...store.get().threads.values()].some((thread) => {
        const composing = composingOf(thread);
        return composing?.kind === "edit" && textOf(thread.threadId, composing) !== composing.text;
      }),
    /** Replaces the text of an own message. The text stays in the composer while the message is being sent. */
    edit(threadId: string, edited: Edit, text: string): void {
      const { key, text: before, base, attachments = [] } = edited;
      const thread = store.get().threads.get(threadId);
      const seq = thread ? seqOf(thread, edited) : edited.seq;
      if (text !== before) {
        const stored = text || textWithoutCaption(attachments);
        if (seq !== null) queue.add({ kind: "edit", thread_id: threadId, seq, text: stored, base });
        else if (!outbox.edit(key, text)) {
          const isGivenUp = thread?.outbox.find(({ client_id }) => client_id === key)?.state === "not-sent";
          store.dispatch({ type: "noticeShown", threadId, text: isGivenUp ? NOT_SENT : TOO_LATE });
          return;
        }
      }
      compose(threadId, null);
    },
    /** Deletes an own stored message for both. */
    deleteForBoth: (thread_id: string, seq: number) => queue.add({ kind: "delete", thread_id, seq }),
    /** Hides a stored message from the user only, or shows it again. */
    hide: (thread_id: string, seq: number, hidden: boolean) => queue.add({ kind: "hide", thread_id, seq, hidden }),
    /** Sets the user's reaction to a message, or removes it (`null`). */
    react: (thread_id: string, seq: number, emoji: string | null) =>
      queue.add({ kind: "react", thread_id, seq, emoji }),
    /** Pins a message for both, or unpins it. */
    pin: (thread_id: string, seq: number, pinned: boolean) => queue.add({ kind: "pin", thread_id, seq, pinned }),
    /** Stars a message for the user only, or removes the star. */
    star: (thread_id: string, seq: number, starred: boolean) => queue.add({ kind: "star", thread_id, seq, starred }),
  };
}
