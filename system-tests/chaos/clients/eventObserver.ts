import type { Message } from "@messageoh/contracts/messages";
import type { ServerToClientEvents } from "@messageoh/contracts/realtime";
import type { Ledger, Sent } from "../checker/ledger.ts";

/** The instance delivers out of order if it cannot read the missing messages for this time. */
const HELD_BACK_MAX_MS = 15_000;

type Received = Parameters<ServerToClientEvents["receive_message"]>[0];

/** Checks the events of one connection of a user's client. */
export class EventObserver {
  readonly #ledger: Ledger;
  readonly #userId: string;
  /** Highest number by thread on the current connection. */
  readonly #newest = new Map<string, number>();
  /** Times of arrival by id of the message. */
  readonly #arrivedAt = new Map<string, number>();
  #connectedAt = 0;

  constructor(ledger: Ledger, userId: string) {
    this.#ledger = ledger;
    this.#userId = userId;
  }

  connected(): void {
    this.#newest.clear();
    this.#connectedAt = Date.now();
  }

  message(message: Received): Sent | undefined {
    const { checks } = this.#ledger;
    const now = Date.now();
    const age = now - this.#ledger.storedSince(message.id);
    const when = () => `${age} ms after storing, ${Math.round(process.uptime())} s after the start`;
    const firstAt = this.#arrivedAt.get(message.id);
    checks.verify("an event arrives once", firstAt === undefined, () => {
      const since = `${now - Number(firstAt)} ms after the first time, ${now - this.#connectedAt} ms after connecting`;
      return `${message.id} at ${this.#userId}, ${since}, ${when()}`;
    });
    this.#arrivedAt.set(message.id, firstAt ?? now);
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

  marker(kind: "read" | "delivered", { thread_id, user_id, seq }: { thread_id: string; user_id: string; seq: number }) {
    this.#ledger.checkMarker(this.#userId, kind, thread_id, user_id, seq);
  }
}
