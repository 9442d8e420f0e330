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
    this.#connections += 1;
    this.#connectedAt = Date.now();
  }

  message(message: Received): Sent | undefined {
    const { checks } = this.#ledger;
    const now = Date.now();
    const age = now - this.#ledger.storedSince(message.id);
    const when = () =>
      `${age} ms after storing, ${now - this.#connectedAt} ms after connecting, ${Math.round(process.uptime())} s after the start`;
    const isLate = this.#connectedWhileStored(message);
    const first = this.#arrivals.get(message.id);
    if (first && isLate && first.connection < this.#connections) this.#ledger.lateEvents += 1;
    else
      checks.verify("an event arrives once", first === undefined, () => {
        return `${message.id} at ${this.#userId}, ${now - Number(first?.at)} ms after the first time, ${when()}`;
      });
    if (!first) this.#arrivals.set(message.id, { at: now, connection: this.#connections });
    // A sender's other tabs may get an own message late: after a gap, only its event names the tab that sent it.
    if (message.recipient_user_id !== this.#userId) return this.#ledger.see(this.#userId, message as Message);
    const newest = this.#newest.get(message.thread_id) ?? 0;
    const isInOrder = message.seq > newest;
    if (!isInOrder && isLate) this.#ledger.lateEvents += 1;
    else
      checks.verify(
        "events arrive in order",
        isInOrder || age >= HELD_BACK_MAX_MS,
        () => `${message.seq} after ${newest} of ${message.thread_id} at ${this.#userId}, ${when()}`,
      );
    this.#newest.set(message.thread_id, Math.max(newest, message.seq));
    return this.#ledger.see(this.#userId, message as Message);
  }

  /**
   * Returns whether a message was being stored when the client connected. Nobody knows then whether the client has fetched
   * it, so it may arrive again, and after later ones.
   */
  #connectedWhileStored({ text, id }: Received): boolean {
    const { sentAt = 0, ackedAt = Number.POSITIVE_INFINITY } = this.#ledger.find({ text, id }) ?? {};
    const from = this.#ledger.storedSince(id);
    const to = ackedAt - sentAt < ATTEMPT_MS ? ackedAt : from + STORING_MAX_MS;
    return from < this.#connectedAt && this.#connectingAt < to;
  }

  marker(kind: "read" | "delivered", { thread_id, user_id, seq }: { thread_id: string; user_id: string; seq: number }) {
    this.#ledger.checkMarker(this.#userId, kind, thread_id, user_id, seq);
  }
}
