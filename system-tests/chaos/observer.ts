import { type Message, storedAt } from "@messageoh/contracts/messages";
import type { Account, ChatSocket } from "../client/account.ts";

/** Deadline for a delivery to a connected socket, including the server's periodic backfill. */
const MUST_ARRIVE_WITHIN_MS = 30_000;
const CLOCK_MARGIN_MS = 1_500;

/** A tab of a client that implements only the specification: it has no catch-up and depends on the server's deliveries. */
export class Observer {
  readonly userId: string;
  readonly socket: ChatSocket;
  readonly received: string[] = [];
  /** Messages that arrived after a later one of their thread on the same connection, as text for the report. */
  readonly outOfOrder: string[] = [];
  #lastSeq = 0;
  readonly #connected: { from: number; to: number }[] = [];

  constructor(account: Account, friendId: string) {
    this.userId = account.id;
    this.socket = account.connect();
    this.socket.on("connect", () => {
      this.#lastSeq = 0;
      this.#connected.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
      this.socket.emit("join_add_friend_room", { current_user_id: account.id });
      this.socket.emit("join_room", { sending_user_id: account.id, recipient_user_id: friendId });
    });
    this.socket.on("disconnect", () => {
      const last = this.#connected.at(-1);
      if (last) last.to = Date.now();
    });
    this.socket.on("receive_message", (message) => {
      if (message.recipient_user_id !== account.id) return;
      this.received.push(message.id);
      if (message.seq < this.#lastSeq) {
        const age = Date.now() - storedAt(message.id);
        this.outOfOrder.push(`${message.seq} after ${this.#lastSeq}, ${age} ms after storing`);
      }
      this.#lastSeq = Math.max(this.#lastSeq, message.seq);
    });
  }

  /** Returns the stored messages that this tab must have received, because it was connected before and long enough after. */
  expected(stored: readonly Message[]): Message[] {
    return stored.filter((message) => {
      const at = storedAt(message.id);
      const isMine = message.recipient_user_id === this.userId;
      return (
        isMine && this.#connected.some(({ from, to }) => from + CLOCK_MARGIN_MS < at && at + MUST_ARRIVE_WITHIN_MS < to)
      );
    });
  }

  cut(): void {
    this.socket.io.engine?.close();
  }

  close(): void {
    this.socket.disconnect();
  }
}
