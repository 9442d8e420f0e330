import { shownMessages, type Thread, type ThreadMessage } from "mfe-chat/client";
import type { Ledger } from "./ledger.ts";

/** A view changes often; only its newest messages can have changed. */
const CHECKED_MESSAGES = 60;

/** Checks what a tab shows, after each change. */
export class ViewObserver {
  readonly #ledger: Ledger;
  readonly #userId: string;
  readonly #tab: string;
  #thread: Thread | undefined;

  constructor(ledger: Ledger, userId: string, tab: string) {
    this.#ledger = ledger;
    this.#userId = userId;
    this.#tab = tab;
  }

  /** Checks the open thread. */
  check(thread: Thread | undefined): void {
    if (!thread || thread === this.#thread) return;
    this.#thread = thread;
    const shown = shownMessages(thread).slice(-CHECKED_MESSAGES);
    checkShown(this.#ledger, this.#userId, this.#tab, shown);
    for (const message of shown) {
      if (message.seq === null || !message.isMine) continue;
      const { sendState, threadId, seq } = message;
      const { friendId } = thread;
      if (sendState === "read") this.#ledger.checkMarker(this.#userId, "read", threadId, friendId, seq);
      if (sendState === "delivered") this.#ledger.checkMarker(this.#userId, "delivered", threadId, friendId, seq);
    }
  }
}

/** Checks a part of a thread as a tab shows it: attribution, order, duplicates and gaps. */
export function checkShown(ledger: Ledger, userId: string, tab: string, messages: readonly ThreadMessage[]): void {
  const { checks } = ledger;
  const texts = new Set<string>();
  const lastOf = new Map<string, number>();
  let lastSeq = 0;
  for (const message of messages) {
    const { text, seq, isMine, threadId } = message;
    const about = () => `${tab} of ${userId} shows number ${seq} "${text.slice(0, 60)}" after ${lastSeq}`;
    if (ledger.isUnknown(message, threadId)) continue;
    const sent = ledger.find(message);
    const isRight = sent !== undefined && sent.threadId === threadId && (isMine ? sent.from : sent.to) === userId;
    checks.verify("sender, thread and text are unchanged", isRight, about);
    checks.verify("a tab shows a message once", !texts.has(sent?.text ?? text), about);
    texts.add(sent?.text ?? text);
    // A message that is not known to be stored has no place among the others yet.
    if (!sent || seq === null) continue;
    const before = lastOf.get(sent.stream);
    // The friend's clients lose no message in between; those of the specification may lose one before it is stored.
    const follows = before === undefined || (isMine ? sent.n > before : ledger.follows(sent, before));
    const isNext = follows || ledger.isBelated(sent);
    const isAfter = seq > lastSeq;
    checks.verify(
      "a tab shows messages in order",
      isNext && isAfter,
      () => `${about()}, in its stream after ${before}`,
    );
    lastOf.set(sent.stream, sent.n);
    lastSeq = seq;
  }
}
