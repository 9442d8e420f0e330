import { type ChatSocket, connectSpec, headersOf } from "../../client/account.ts";
import { describeSent, type Ledger, type Sent, type Session } from "../checker/ledger.ts";
import { EventObserver } from "./eventObserver.ts";

/** Deadline for a delivery to a connected socket, including a read after silence. */
const MUST_ARRIVE_WITHIN_MS = 30_000;

let created = 0;

/** A client that implements only the specification: no catch-up, no acks, no message ids. It depends on events. */
export class SpecClient {
  readonly name = `spec${++created}`;
  readonly session: Session;
  readonly socket: ChatSocket;
  readonly #ledger: Ledger;
  readonly #friendIds: () => Iterable<string>;
  /** Times of the first arrivals, by id of the message. */
  readonly #received = new Map<string, number>();
  readonly #connected: { from: number; to: number }[] = [];

  constructor(url: string, ledger: Ledger, session: Session, friendIds: () => Iterable<string>) {
    this.session = session;
    this.#ledger = ledger;
    this.#friendIds = friendIds;
    const { userId } = session;
    const events = new EventObserver(ledger, userId);
    this.socket = connectSpec(url, headersOf(session));
    this.socket.io.on("reconnect_attempt", () => events.connecting());
    this.socket.on("connect", () => {
      events.connected();
      this.#connected.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
      this.socket.emit("join_add_friend_room", { current_user_id: userId });
      for (const friendId of this.#friendIds()) this.#join(friendId);
    });
    this.socket.on("disconnect", () => {
      events.connecting();
      const last = this.#connected.at(-1);
      // The event is repeated for an attempt to reconnect that fails after the handshake.
      if (last) last.to = Math.min(last.to, Date.now());
    });
    this.socket.on("receive_message", (message) => {
      if (!this.#received.has(message.id)) this.#received.set(message.id, Date.now());
      events.message(message);
    });
    this.socket.on("received_add_new_friend", ({ current_user }) => this.#join(current_user.id));
    this.socket.on("message_read", (marker) => events.marker("read", marker));
    this.socket.on("message_delivered", (marker) => events.marker("delivered", marker));
  }

  /** Sends a message that may be lost with the connection, because the specification has no acks. */
  send(friendId: string, threadId: string): Sent | undefined {
    if (!this.socket.connected || this.session.endingAt !== undefined) return undefined;
    const route = { from: this.session.userId, to: friendId, threadId };
    // Two realtime instances do not wait for each other, so only the messages of one connection keep their order.
    const client = `${this.name}.${this.#connected.length}`;
    const sent = this.#ledger.compose({ ...route, client, isGuaranteed: false });
    this.socket.emit("send_message", {
      thread_id: threadId,
      sending_user_id: sent.from,
      recipient_user_id: sent.to,
      text: sent.text,
      timestamp: new Date(sent.sentAt).toISOString(),
      read: false,
    });
    return sent;
  }

  /** Describes the messages that this client did not receive, or too late, and returns how many it has to receive. */
  missing(scale: number): { due: number; missing: string[] } {
    const dueAt = ({ ackedAt = Number.POSITIVE_INFINITY, seenAt = ackedAt }: Sent) =>
      Math.min(ackedAt, seenAt) + MUST_ARRIVE_WITHIN_MS * scale;
    const isDue = (sent: Sent) => this.#connected.some(({ from, to }) => from < sent.sentAt && dueAt(sent) < to);
    const receivedAt = ({ id }: Sent) => this.#received.get(id as string) ?? Number.POSITIVE_INFINITY;
    const due = this.#addressed().filter(isDue);
    const connectedMs = () => Date.now() - Number(this.#connected.at(-1)?.from);
    const describe = (sent: Sent) =>
      `${describeSent(sent)}, arrived after ${receivedAt(sent) - sent.sentAt} ms, last connected ${connectedMs()} ms ago`;
    return { due: due.length, missing: due.filter((sent) => receivedAt(sent) > dueAt(sent)).map(describe) };
  }

  /** Returns whether this client has received all messages that it will have to receive if it stays connected. */
  hasAll(): boolean {
    const from = this.#connected.at(-1)?.from ?? Number.POSITIVE_INFINITY;
    return this.#addressed().every(({ id, sentAt }) => id === undefined || sentAt < from || this.#received.has(id));
  }

  #addressed(): readonly Sent[] {
    return this.#ledger.sentTo.get(this.session.userId) ?? [];
  }

  cut(): void {
    this.socket.io.engine?.close();
  }

  close(): void {
    this.socket.disconnect();
  }

  #join(friendId: string): void {
    this.socket.emit("join_room", { sending_user_id: this.session.userId, recipient_user_id: friendId });
  }
}
