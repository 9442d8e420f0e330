import {
  listMessages,
  listThreads,
  type Message,
  type ThreadState,
  updateMessageRead,
} from "@messageoh/contracts/messages";
import { type Account, type ChatSocket, pause } from "../client/account.ts";
import { Outbox } from "./outbox.ts";

const POLL_MS = 15_000;
const PAGE = 200;

export interface TabOptions {
  retriesUnsent: boolean;
  catchesUp: boolean;
}

/** A tab that works like mfe-chat: an outbox, live events, and catch-up by sequence number. */
export class Tab {
  readonly account: Account;
  readonly socket: ChatSocket;
  readonly outbox: Outbox;
  readonly messages = new Map<number, Message>();
  /** Milliseconds from sending to delivery, for messages of the friend. */
  readonly deliveryMs: number[] = [];
  readSeq = 0;
  /** Number of times that a network failure was reported as an ended session. */
  wrongSignOuts = 0;
  /** Responses of `GET /threads` without a message that this tab had before the request. */
  staleLists = 0;
  #newest = 0;
  #gapFree = 0;
  #epoch = 0;
  #isCatchingUp = false;
  readonly #threadId: string;
  readonly #catchesUp: boolean;
  readonly #poll: NodeJS.Timeout;

  constructor(account: Account, friendId: string, threadId: string, { retriesUnsent, catchesUp }: TabOptions) {
    this.account = account;
    this.#threadId = threadId;
    this.#catchesUp = catchesUp;
    this.socket = account.connect();
    const route = { thread_id: threadId, sending_user_id: account.id, recipient_user_id: friendId };
    this.outbox = new Outbox(this.socket, route, retriesUnsent);
    this.socket.on("connect", () => {
      this.#epoch += 1;
      this.socket.emit("join_add_friend_room", { current_user_id: account.id });
      this.socket.emit("join_room", { sending_user_id: account.id, recipient_user_id: friendId });
      void this.catchUp();
    });
    this.socket.on("connect_error", (error: Error & { description?: unknown }) => {
      if (error.message === "unauthorised" || error.description === 401) this.wrongSignOuts += 1;
    });
    this.socket.on("receive_message", (message) => {
      this.#take(message);
      if (message.seq > this.#gapFree) void this.catchUp();
    });
    this.socket.on("resync", ({ within_ms }) => void pause(Math.random() * within_ms).then(() => this.catchUp()));
    this.socket.on("server_draining", ({ within_ms }) => {
      void pause(Math.random() * within_ms).then(() => this.socket.disconnect().connect());
    });
    this.#poll = setInterval(() => void this.catchUp(), POLL_MS * (0.75 + Math.random() / 2));
  }

  #take(message: Message): void {
    if (message.seq === 0 || this.messages.has(message.seq)) return;
    this.messages.set(message.seq, message);
    this.#newest = Math.max(this.#newest, message.seq);
    if (message.sending_user_id !== this.account.id)
      this.deliveryMs.push(Date.now() - Number(message.text.split("|")[2]));
    while (this.messages.has(this.#gapFree + 1)) this.#gapFree += 1;
  }

  /** Fetches the messages after the last one without a gap. Discards responses of an earlier connection. */
  async catchUp(): Promise<void> {
    if (!this.#catchesUp || this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const epoch = this.#epoch;
    try {
      const newest = (await this.state()).last_seq;
      while (this.#gapFree < newest && epoch === this.#epoch) {
        const page = await this.account.call(listMessages, {
          params: { user_id: this.account.id },
          query: { thread_id: this.#threadId, after_seq: this.#gapFree, limit: PAGE },
        });
        if (epoch !== this.#epoch) break;
        for (const message of page) this.#take(message);
      }
      this.#isCatchingUp = false;
      if (epoch !== this.#epoch) void this.catchUp();
    } catch {
      await pause(1_000 * (0.5 + Math.random()));
      this.#isCatchingUp = false;
      void this.catchUp();
    }
  }

  async state(): Promise<ThreadState> {
    const known = this.#newest;
    const states = await this.account.call(listThreads, { params: { user_id: this.account.id } });
    const state = states.find((candidate) => candidate.thread_id === this.#threadId);
    if (!state) throw new Error("The thread is not listed");
    if (state.last_seq < known) this.staleLists += 1;
    return state;
  }

  /** Moves the read marker to the last message without a gap. */
  async markRead(): Promise<void> {
    const seq = this.#gapFree;
    if (seq <= this.readSeq) return;
    const body = { thread_id: this.#threadId, seq };
    await this.account.call(updateMessageRead, { body }).then(
      () => {
        this.readSeq = Math.max(this.readSeq, seq);
      },
      () => {},
    );
  }

  /** Closes the connection without closing the socket. */
  cut(): void {
    this.socket.io.engine?.close();
  }

  close(): void {
    clearInterval(this.#poll);
    this.socket.disconnect();
  }
}
