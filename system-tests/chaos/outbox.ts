import { randomUUID } from "node:crypto";
import type { Message } from "@messageoh/contracts/messages";
import type { SendAck } from "@messageoh/contracts/realtime";
import { type ChatSocket, pause } from "../client/account.ts";

const ACK_TIMEOUT_MS = 10_000;
const RETRY_MS = 500;

/** A message on its way: what a browser keeps until it is acked. */
interface Queued {
  client_id: string;
  text: string;
  timestamp: string;
}

/** One thread's queue of a tab: in order, one message under way at a time, kept until the server has it. */
export class Outbox {
  readonly acked: Message[] = [];
  readonly refused: string[] = [];
  readonly #queue: Queued[] = [];
  readonly #socket: ChatSocket;
  readonly #route: { thread_id: string; sending_user_id: string; recipient_user_id: string };
  readonly #keeps: boolean;
  #isSending = false;

  /** @param keeps false tries each message once: what a client without an outbox does */
  constructor(
    socket: ChatSocket,
    route: { thread_id: string; sending_user_id: string; recipient_user_id: string },
    keeps: boolean,
  ) {
    this.#socket = socket;
    this.#route = route;
    this.#keeps = keeps;
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
      const answer = await this.#try(next);
      if (answer && "message" in answer) {
        this.acked.push(answer.message);
        this.#queue.shift();
      } else if (answer && !answer.is_retryable) {
        this.refused.push(answer.error);
        this.#queue.shift();
      } else if (this.#keeps) {
        await pause(RETRY_MS * (1 + Math.random()));
      } else {
        this.#queue.shift();
      }
    }
    this.#isSending = false;
  }

  /** Undefined when nobody knows what became of it. */
  async #try(message: Queued): Promise<SendAck | undefined> {
    if (!this.#socket.connected) return undefined;
    let lost = () => {};
    const isLost = new Promise<undefined>((resolve) => {
      lost = () => resolve(undefined);
      this.#socket.once("disconnect", lost);
    });
    const ack = this.#socket
      .timeout(ACK_TIMEOUT_MS)
      .emitWithAck("send_message", { ...this.#route, ...message, read: false })
      .catch(() => undefined);
    const answer = await Promise.race([ack, isLost]);
    this.#socket.off("disconnect", lost);
    return answer;
  }
}
