import type { Message } from "@messageoh/contracts/messages";
import type { ServerToClientEvents } from "@messageoh/contracts/realtime";
import type { Ledger, Sent } from "../checker/ledger.ts";

/** The instance delivers out of order if it cannot read the missing messages for this time. */
const HELD_BACK_MAX_MS = 15_000;
/** After this time without a result, svc-realtime asks another svc-messages, and both may publish a message. */
const ATTEMPT_MS = 5_000;
/** Longest time for which svc-messages waits for MongoDB. */
const STORING_MAX_MS = 20_000;

type Received = Parameters<ServerToClientEvents["receive_message"]>[0];

/** Checks the events of one connection of a user's client. */
export class EventObserver {
  readonly #ledger: Ledger;
  readonly #userId: string;
  /** Highest number by thread on the current connection. */
  readonly #newest = new Map<string, number>();
  /** First arrivals by id of the message. */
  readonly #arrivals = new Map<string, { at: number; connection: number }>();
  #connections = 0;
  #connectingAt = 0;
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
    this.#connections += 1;
    this.#connectedAt = Date.now();
  }

  message(message: Received): Sent | undefined {
    const { checks } = this.#ledger;
    const now = Date.now();
    const age = now - this.#ledger.storedSince(message.id);
    const when = () => `${age} ms after storing, ${Math.round(process.uptime())} s after the start`;
    const first = this.#arrivals.get(message.id);
    if (first && this.#mayRepeat(message, first)) this.#ledger.repeated += 1;
    else
      checks.verify("an event arrives once", first === undefined, () => {
        const since = `${now - Number(first?.at)} ms after the first time, ${now - this.#connectedAt} ms after connecting`;
        return `${message.id} at ${this.#userId}, ${since}, ${when()}`;
      });
    if (!first) this.#arrivals.set(message.id, { at: now, connection: this.#connections });
    // A sender's other tabs may get an own message late: after a gap, only its event names the tab that sent it.
    if (message.recipient_user_id !== this.#userId) return this.#ledger.see(this.#userId, message as Message);
    const newest = this.#newest.get(message.thread_id) ?? 0;
    checks.verify(
      "events arrive in order",
      message.seq > newest || age >= HELD_BACK_MAX_MS,
      () => `${message.seq} after ${newest} of ${message.thread_id} at ${this.#userId}, ${when()}`,
    );
    this.#newest.set(message.thread_id, Math.max(newest, message.seq));
    return this.#ledger.see(this.#userId, message as Message);
  }

  /**
   * Returns whether a message may arrive again: while an instance is storing it, nobody knows whether a client that
   * reconnects has fetched it.
   */
  #mayRepeat(message: Received, first: { connection: number }): boolean {
    const { sentAt = 0, ackedAt = Number.POSITIVE_INFINITY } = this.#ledger.find(message) ?? {};
    const storedBy = ackedAt - sentAt < ATTEMPT_MS ? ackedAt : this.#ledger.storedSince(message.id) + STORING_MAX_MS;
    return first.connection < this.#connections && this.#connectingAt < storedBy;
  }

  marker(kind: "read" | "delivered", { thread_id, user_id, seq }: { thread_id: string; user_id: string; seq: number }) {
    this.#ledger.checkMarker(this.#userId, kind, thread_id, user_id, seq);
  }
}
