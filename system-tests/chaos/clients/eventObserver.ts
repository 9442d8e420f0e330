import type { Message } from "@messageoh/contracts/messages";
import type { ServerToClientEvents } from "@messageoh/contracts/realtime";
import type { Ledger, Sent } from "../checker/ledger.ts";

/** An instance gives a gap up after this time, so a missing message may follow later. */
const GAP_HELD_MS = 5_000;
/**
 * Longest time for which an instance does not know that a message is stored, unless MongoDB does not respond for
 * longer.
 */
const POSITION_AGE_MS = 5_500;

type Received = Parameters<ServerToClientEvents["receive_message"]>[0];

/** Checks the events of one connection of a user's client. */
export class EventObserver {
  readonly #ledger: Ledger;
  readonly #userId: string;
  /** The highest number of each thread on the current connection, and that of the last message behind a given-up gap. */
  readonly #newest = new Map<string, number>();
  readonly #afterGap = new Map<string, number>();
  /** First arrivals by id of the message. */
  readonly #arrivals = new Map<string, { at: number; connection: number }>();
  #connections = 0;
  #connectingAt = Date.now();
  #connectedAt = 0;

  constructor(ledger: Ledger, userId: string) {
    this.#ledger = ledger;
    this.#userId = userId;
  }

  /** Records that the client begins to connect, or that it does so later. */
  connecting(): void {
    this.#connectingAt = Date.now();
  }

  connected(): void {
    this.#newest.clear();
    this.#afterGap.clear();
    this.#connections += 1;
    this.#connectedAt = Date.now();
  }

  message(message: Received): Sent | undefined {
    const { checks } = this.#ledger;
    const now = Date.now();
    const sent = this.#ledger.find(message);
    const lateMs = now - (sent?.ackedAt ?? sent?.sentAt ?? now);
    const when = () =>
      `${lateMs} ms after its ack, ${now - this.#connectedAt} ms after connecting, ${Math.round(process.uptime())} s after the start`;
    const isLate = this.#connectedWhileStored(sent);
    const first = this.#arrivals.get(message.id);
    if (first && isLate && first.connection < this.#connections) this.#ledger.lateEvents += 1;
    else
      checks.verify("an event arrives once", first === undefined, () => {
        return `${message.id} at ${this.#userId}, ${now - Number(first?.at)} ms after the first time, ${when()}`;
      });
    if (!first) this.#arrivals.set(message.id, { at: now, connection: this.#connections });
    const newest = this.#newest.get(message.thread_id) ?? 0;
    const isInOrder = message.seq > newest;
    if (message.seq > newest + 1 && now - (sent?.sentAt ?? now) >= GAP_HELD_MS) {
      this.#afterGap.set(message.thread_id, message.seq);
    }
    const isSkipped = message.seq < Number(this.#afterGap.get(message.thread_id));
    if (!isInOrder && (isLate || isSkipped)) this.#ledger.lateEvents += 1;
    else
      checks.verify(
        "events arrive in order",
        isInOrder,
        () => `${message.seq} after ${newest} of ${message.thread_id} at ${this.#userId}, ${when()}`,
      );
    this.#newest.set(message.thread_id, Math.max(newest, message.seq));
    return this.#ledger.see(this.#userId, message as Message);
  }

  /**
   * Returns whether a message was being stored when the client connected, or so shortly before that the instance did
   * not know it. The client may have fetched it, so it may arrive again, and after later ones.
   */
  #connectedWhileStored(sent: Sent | undefined): boolean {
    const { sentAt = 0, ackedAt, seenAt } = sent ?? {};
    const storedBy = Math.min(ackedAt ?? Number.POSITIVE_INFINITY, seenAt ?? Number.POSITIVE_INFINITY);
    return sentAt < this.#connectedAt && this.#connectingAt < storedBy + POSITION_AGE_MS;
  }

  marker(kind: "read" | "delivered", { thread_id, user_id, seq }: { thread_id: string; user_id: string; seq: number }) {
    this.#ledger.checkMarker(this.#userId, kind, thread_id, user_id, seq);
  }
}
