import { randomUUID } from "node:crypto";
import type { Message } from "@messageoh/contracts/messages";
import type { SendAck } from "@messageoh/contracts/realtime";
import { type ChatSocket, pause } from "../client/account.ts";

const ACK_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;

/** A message without an ack. */
interface Queued {
  client_id: string;
  text: string;
  timestamp: string;
}

/** The send queue of a thread in a tab: sends one message at a time, in order, and retries until it is acked. */
export class Outbox {
  readonly acked: Message[] = [];
  readonly rejected: string[] = [];
  readonly #queue: Queued[] = [];
  readonly #socket: ChatSocket;
  readonly #route: { thread_id: string; sending_user_id: string; recipient_user_id: string };
  readonly #retries: boolean;
  #isSending = false;

  /** @param retries `false` sends each message once, like a client without an outbox */
  constructor(
    socket: ChatSocket,
    route: { thread_id: string; sending_user_id: string; recipient_user_id: string },
    retries: boolean,
  ) {
    this.#socket = socket;
    this.#route = route;
    this.#retries = retries;
  }

  get length(): number {
    return this.#queue.length;
  }

  send(text: string): void {
    this.#queue.push({ client_id: randomUUID(), text, timestamp: new Date().toISOString() });
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const ack = await this.#send(next);
      if (ack && "message" in ack) {
        this.acked.push(ack.message);
        this.#queue.shift();
      } else if (ack && !ack.is_retryable) {
        this.rejected.push(ack.error);
        this.#queue.shift();
      } else if (this.#retries) {
        await pause(RETRY_MS * (1 + Math.random()));
      } else {
        this.#queue.shift();
      }
    }
    this.#isSending = false;
  }

  /** Sends a message and returns its ack, or `undefined` if the outcome is unknown. */
  async #send(message: Queued): Promise<SendAck | undefined> {
    if (!this.#socket.connected) return undefined;
    let onDisconnect = () => {};
    const disconnected = new Promise<undefined>((resolve) => {
      onDisconnect = () => resolve(undefined);
      this.#socket.once("disconnect", onDisconnect);
    });
    const acked = this.#socket
      .timeout(ACK_TIMEOUT_MS)
      .emitWithAck("send_message", { ...this.#route, ...message, read: false })
      .catch(() => undefined);
    const outcome = await Promise.race([acked, disconnected]);
    this.#socket.off("disconnect", onDisconnect);
    return outcome;
  }
}
