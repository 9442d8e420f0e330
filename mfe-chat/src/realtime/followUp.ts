import type { CatchUp } from "../fetching/catchUp.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Store } from "../state/store.ts";
import { hasChangeGap } from "../state/thread/changeRules.ts";
import { newestShown, unsentOf } from "../state/thread/shownMessages.ts";
import type { Thread } from "../state/thread/thread.ts";
import type { ReceiptSender } from "./receipts/receiptSender.ts";

/** A missing message usually arrives within this time, because another server instance was slower. */
const GAP_PATIENCE_MS = 200;
/** Time until the next poll after a page of a thread could not be loaded; a poll that succeeds loads it again. */
const FAILED_PAGE_MS = 15_000;

export interface FollowUpOptions {
  store: Store;
  receipts: readonly ReceiptSender[];
  outbox: Pick<Outbox, "settle">;
  catchUp: Pick<CatchUp, "request">;
  history: { loadQuoted: (threadId: string, seq: number) => Promise<unknown> };
}

/**
 * Creates the side effects of a changed state. After each change, `follow` sends receipts, requests gaps and removes
 * stored messages from the outbox.
 */
export function createFollowUp({ store, receipts, outbox, catchUp, history }: FollowUpOptions) {
  let before: ReadonlyMap<string, Thread> = new Map();
  /** Last requested gap by thread id, so that a gap that cannot be filled is requested only once. */
  const requestedGaps = new Map<string, string>();

  return {
    follow(): void {
      const { threads } = store.get();
      if (threads === before) return;
      const changed = [...threads.values()].filter((thread) => before.get(thread.threadId) !== thread);
      const withoutPreview = changed.filter((thread) => isPreviewHidden(thread, before.get(thread.threadId)));
      before = threads;
      for (const sender of receipts) sender.check(threads);
      for (const { threadId, segments } of withoutPreview) {
        const seq = (segments.at(-1)?.from ?? 1) - 1;
        if (seq > 0) void history.loadQuoted(threadId, seq);
      }
      if (changed.some(isNewGap)) catchUp.request(GAP_PATIENCE_MS);
      if (changed.some(({ hasFailed }) => hasFailed)) catchUp.request(FAILED_PAGE_MS);
      const settled = changed.flatMap((thread) => {
        const unsent = unsentOf(thread);
        return thread.outbox.filter((entry) => !unsent.includes(entry)).map((entry) => entry.client_id);
      });
      if (settled.length > 0) outbox.settle(settled);
    },
  };

  function isNewGap(thread: Thread): boolean {
    const { threadId, knownSeq, lastSeq, knownChange, lastChange } = thread;
    if (lastSeq <= knownSeq && !hasChangeGap(thread)) return false;
    const gap = `${knownSeq}-${lastSeq} ${knownChange}-${lastChange}`;
    if (requestedGaps.get(threadId) === gap) return false;
    requestedGaps.set(threadId, gap);
    return true;
  }
}

/**
 * Returns whether the server now hides all messages of a known thread that are loaded. The list of friends shows the
 * one before.
 */
const isPreviewHidden = (thread: Thread, known: Thread | undefined): boolean =>
  known !== undefined && thread.hidden !== known.hidden && newestShown(thread) === undefined;
