import { type LinkPreview, previewIn } from "@messageoh/contracts/linkPreviews";
import type { ChatApi } from "../fetching/chatApi.ts";
import type { History } from "../fetching/history.ts";
import type { Notifications } from "../notifications/notifications.ts";
import type { ChosenFile } from "../outbox/chosenFile.ts";
import { newClientId } from "../outbox/clientId.ts";
import type { FileStore } from "../outbox/fileStore.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { QueuedFile } from "../outbox/queuedMessage.ts";
import type { Typing } from "../realtime/typing.ts";
import type { Store } from "../state/store.ts";
import { composingOf } from "../state/thread/composing.ts";
import type { ThreadMessage } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";
import { hasNewer } from "../state/thread/window.ts";
import type { AttachmentActions } from "./attachments.ts";
import type { DraftActions } from "./drafts.ts";
import { forwardedCopy } from "./forwardedCopy.ts";

/** Shown if the browser forbids storage or it is full. */
const FILES_NOT_STORED = "This browser could not store the files. Keep this page open until they are sent.";

export interface MessageActionsOptions {
  api: Pick<ChatApi, "cancelUpload">;
  store: Store;
  history: History;
  drafts: Pick<DraftActions, "of" | "write" | "clear">;
  outbox: Outbox;
  files: FileStore;
  attachments: Pick<AttachmentActions, "take">;
  typing: Typing;
  notifications: Notifications;
  answerNotice: (friendId: string) => void;
}

/** A message that the user has written. */
interface Written {
  threadId: string;
  text: string;
  /** Number of the message that it replies to. */
  replyTo: number | undefined;
  chosen: readonly ChosenFile[];
  preview?: LinkPreview;
}

/** Returns a file as the outbox keeps it. One that is not prepared gets another key for what is sent of it. */
function queuedFile({ content, preparing, note, ...file }: ChosenFile): QueuedFile {
  return preparing ? { ...file, key: newClientId(), original: file.key } : file;
}

/** Returns the actions of the open thread: writing, sending and reading messages. */
export function createMessageActions(options: MessageActionsOptions) {
  const { api, store, history, drafts, outbox, files, attachments, typing, notifications, answerNotice } = options;

  /** Ends the reply in the composer. Returns the number of the message that it replies to, if any. */
  function takeReply(threadId: string): number | undefined {
    const thread = store.get().threads.get(threadId);
    const composing = thread?.composing ? composingOf(thread) : null;
    // A recording can be sent during an edit, which goes on.
    if (composing?.kind === "edit") return undefined;
    if (thread?.composing) store.dispatch({ type: "composingChanged", threadId, composing: null });
    return composing?.seq;
  }

  function add({ threadId, text, replyTo, chosen, preview }: Written): void {
    const thread = store.get().threads.get(threadId);
    if (!thread || (text.trim() === "" && chosen.length === 0)) return;
    const { friendId } = thread;
    const client_id = newClientId();
    for (const { key, content } of chosen) files.hold(key, content);
    outbox.add({
      client_id,
      thread_id: threadId,
      recipient_user_id: friendId,
      text: text.trimEnd(),
      ...(chosen.length > 0 ? { files: chosen.map(queuedFile) } : {}),
      preview: previewIn(text, preview),
      ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    });
    if (chosen.length > 0) void keepFiles(threadId, client_id, chosen);
    // Another tab would begin to prepare them again.
    if (chosen.some(({ preparing }) => preparing)) outbox.takeOver();
    noteWritten(thread);
  }

  /** Handles that the user has written a message to a thread. */
  function noteWritten(thread: Thread): void {
    const { friendId, threadId } = thread;
    // The first own message answers the notice.
    if (store.get().friends.get(friendId)?.has_notice) answerNotice(friendId);
    notifications.offer();
    if (hasNewer(thread)) void history.goToLatest(threadId);
  }

  async function keepFiles(threadId: string, clientId: string, chosen: readonly ChosenFile[]): Promise<void> {
    if (await files.save(chosen.map(({ key }) => key))) outbox.keep(clientId);
    else {
      outbox.takeOver();
      store.dispatch({ type: "noticeShown", threadId, text: FILES_NOT_STORED });
    }
  }

  const sendWith = (threadId: string, text: string, preview?: LinkPreview) =>
    add({ threadId, text, replyTo: takeReply(threadId), chosen: attachments.take(threadId), preview });

  return {
    /** Sends a text with the preview of its link, or with the files that the user has chosen for the thread. */
    send(threadId: string, text: string, preview?: LinkPreview): void {
      drafts.clear(threadId);
      typing.ended(threadId);
      sendWith(threadId, text, preview);
    },
    /** Sends the chosen files alone. The draft stays: another device may have saved it during a recording. */
    sendFiles: (threadId: string) => sendWith(threadId, ""),
    /** Forwards stored messages to friends, in order. Returns the ids of those who are still friends. */
    forward(originals: readonly ThreadMessage[], friendIds: readonly string[]): string[] {
      const { threads, threadIdOf } = store.get();
      const to = friendIds.flatMap((friendId) => threads.get(threadIdOf.get(friendId) ?? "") ?? []);
      outbox.add(
        ...to.flatMap(({ threadId, friendId }) =>
          originals.map((original) => forwardedCopy(original, threadId, friendId)),
        ),
      );
      for (const thread of to) noteWritten(thread);
      return to.map(({ friendId }) => friendId);
    },
    retry: outbox.retry,
    /** Deletes an unsent message. Returns false if it is being sent by now, in which case it stays. */
    delete(clientId: string): boolean {
      const entry = store.get().outbox.find(({ client_id }) => client_id === clientId);
      if (!entry || !outbox.delete(clientId)) return false;
      for (const { url } of entry.files ?? []) if (url !== undefined) api.cancelUpload(url);
      return true;
    },
    loadOlder: history.loadOlder,
    loadNewer: history.loadNewer,
    loadQuoted: history.loadQuoted,
    loadPinned: history.loadPinned,
    jumpToLatest: (threadId: string) => void history.goToLatest(threadId),
    /** Returns the unsent draft of a thread. */
    draftOf: drafts.of,
    /** Keeps what the user has typed; call on every input. */
    saveDraft: drafts.write,
    /** Call on every input; it is throttled. */
    notifyTyping: typing.notify,
  };
}
