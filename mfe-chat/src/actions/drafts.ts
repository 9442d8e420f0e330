import { draftText } from "@messageoh/contracts/fields";
import type { Draft } from "@messageoh/contracts/messages";
import { safeParse } from "@messageoh/contracts/parse";
import type { PendingQueue } from "../pending/pendingQueue.ts";
import type { Store } from "../state/store.ts";
import type { Thread } from "../state/thread/thread.ts";
import type { Drafts } from "../storage/drafts.ts";

/** A draft is saved on the server when typing has paused for this time. */
const PAUSE_MS = 1_500;

export interface DraftActionsOptions {
  store: Store;
  drafts: Drafts;
  /** Saves drafts on the server as soon as possible. */
  queue: Pick<PendingQueue, "add">;
}

export type DraftActions = ReturnType<typeof createDraftActions>;

/**
 * Returns the user's drafts. This device keeps them at once, and the server for all devices when typing pauses. The
 * draft of another device replaces that of this device, unless this device has one that the server does not have.
 */
export function createDraftActions({ store, drafts, queue }: DraftActionsOptions) {
  /** What the user is typing, by thread id, until typing pauses. */
  const typed = new Map<string, { text: string; pause: ReturnType<typeof setTimeout> }>();
  /** Newest `rev` that this page has shown, by thread id. The device may know a later one from another page. */
  const revs = new Map<string, number>();
  let before = store.get();

  /** Returns whether a draft waits to be saved on the server. */
  const isWaiting = (threadId: string) =>
    store.get().pending.some(({ kind, thread_id }) => kind === "draft" && thread_id === threadId);

  function keep(threadId: string, text: string): void {
    drafts.save(threadId, text);
    store.dispatch({ type: "draftsChanged", threadIds: [threadId], isDraft: text.trim() !== "" });
  }

  function forget(threadId: string): void {
    clearTimeout(typed.get(threadId)?.pause);
    typed.delete(threadId);
  }

  /** Keeps a text that was typed, and saves it after a pause. */
  function write(threadId: string, text: string): void {
    keep(threadId, text);
    forget(threadId);
    typed.set(threadId, { text, pause: setTimeout(() => flush(threadId), PAUSE_MS) });
  }

  /** Saves what was typed if the server has another text. */
  function flush(threadId: string): void {
    const text = typed.get(threadId)?.text;
    forget(threadId);
    if (text === undefined) return;
    // Another page of the device may have replaced it meanwhile.
    drafts.save(threadId, text);
    const thread = store.get().threads.get(threadId);
    const isSaved = text === (thread?.draft?.text ?? "") && !isWaiting(threadId);
    if (!isSaved && isAllowed(text)) queue.add({ kind: "draft", thread_id: threadId, text });
    else if (thread) follow(thread);
  }

  const flushAll = () => [...typed.keys()].forEach(flush);

  /** Shows the draft of another device. */
  function follow({ threadId, draft }: Thread): void {
    if (!draft || draft.rev <= (revs.get(threadId) ?? 0)) return;
    if (typed.has(threadId) || isWaiting(threadId) || !isAllowed(drafts.of(threadId))) return;
    revs.set(threadId, draft.rev);
    drafts.saveRev(threadId, draft.rev);
    keep(threadId, draft.text);
    store.dispatch({ type: "draftReplaced", threadId });
  }

  /** Compares the draft of an earlier visit with the first response of the server. */
  function resume(thread: Thread): void {
    const { threadId, draft } = thread;
    if (!draft && !store.get().draftIn.has(threadId)) return;
    const rev = drafts.rev(threadId);
    const text = drafts.of(threadId);
    revs.set(threadId, rev);
    const isUnsaved = text !== (draft?.text ?? "") && (rev === 0 ? text !== "" : rev >= (draft?.rev ?? 0));
    if (isUnsaved && !typed.has(threadId) && !isWaiting(threadId)) {
      write(threadId, text);
      flush(threadId);
    } else follow(thread);
  }

  return {
    of: drafts.of,
    write,
    /** Empties the draft of a message that was sent. */
    clear(threadId: string): void {
      write(threadId, "");
      flush(threadId);
    },
    /** Puts a text into the composer, after the draft of the thread. */
    restore(threadId: string, text: string): void {
      const draft = drafts.of(threadId);
      write(threadId, draft.trim() === "" ? text : `${draft}\n${text}`);
      store.dispatch({ type: "draftReplaced", threadId });
    },
    /**
     * Call when the server has saved a draft of this device. Another page may have written it, so this one may not show
     * it yet.
     */
    saved(threadId: string, draft: Draft): void {
      drafts.saveRev(threadId, draft.rev);
      store.dispatch({ type: "draftSaved", threadId, draft });
    },
    /** Reacts to a change of the state. */
    update(): void {
      const known = before;
      before = store.get();
      const { threads, isVisible, openFriendId } = before;
      if (openFriendId !== known.openFriendId || (known.isVisible && !isVisible)) flushAll();
      if (threads === known.threads) return;
      for (const thread of threads.values()) {
        const earlier = known.threads.get(thread.threadId);
        const isListed = thread.knownChange !== null && (earlier?.knownChange ?? null) === null;
        if (isListed) resume(thread);
        else if (thread.draft !== earlier?.draft || thread.pending !== earlier.pending) follow(thread);
      }
    },
    /** Forgets what waits for a pause; the next visit saves it. */
    stop(): void {
      [...typed.keys()].forEach(forget);
    },
    /** Removes all drafts of this device. */
    wipe(): void {
      [...typed.keys()].forEach(forget);
      revs.clear();
      drafts.wipe();
    },
  };
}

/** Returns whether the server takes a text. The composer accepts any. */
const isAllowed = (text: string) => safeParse(draftText, text).success;
