import { randomUUID } from "node:crypto";
import type { Call } from "@messageoh/contracts/client";
import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { listMessages } from "@messageoh/contracts/messages";
import { addFriend } from "@messageoh/contracts/users";
import { pause, withRetries } from "../../client/account.ts";
import type { Ledger, Sent } from "../checker/ledger.ts";
import { newAddress, newName, newPassword, signUp } from "./accounts.ts";
import { observeAck } from "./observedAck.ts";
import { observedCall } from "./observedCall.ts";
import { SpecClient } from "./specClient.ts";
import { atRate, type SteadyRate } from "./steadyRate.ts";

const AT_ONCE = 8;
const ACK_MS = 10_000;
const RETRY_MS = 1_000;
/** A user with more unsent messages, or with so many that they take this long to send, stops writing. */
const UNSENT_MAX = 200;
const UNSENT_MAX_MS = 5_000;
/** Weight of the last ack in the mean time until an ack. */
const NEWEST = 0.2;

/**
 * A user with one light client, which carries load: a client of the specification that also gives each message an id,
 * sends it again until it is acked, and fetches what it missed.
 */
export class CrowdMember {
  readonly id: string;
  readonly call: Call;
  readonly client: SpecClient;
  readonly isGone = false;
  readonly #ledger: Ledger;
  readonly #unsent: Sent[] = [];
  #friend: { id: string; threadId: string } | undefined;
  #isSending = false;
  /** Number of the newest message before which none is missing. */
  #completeTo = 0;
  /** Numbers of messages after a missing one. */
  readonly #later = new Set<number>();
  /** Mean time until an ack in milliseconds. */
  #ackMs = 50;

  private constructor(url: string, ledger: Ledger, session: SpecClient["session"]) {
    this.id = session.userId;
    this.#ledger = ledger;
    this.call = observedCall(url, ledger, () => session);
    this.client = new SpecClient(url, ledger, session, () => (this.#friend ? [this.#friend.id] : []));
    const { socket } = this.client;
    socket.on("connect", () => void this.#catchUp());
    socket.on("receive_message", ({ seq }) => this.#learn(seq));
  }

  static async register(url: string, ledger: Ledger): Promise<CrowdMember> {
    const origin = { url, address: newAddress() };
    return new CrowdMember(url, ledger, await signUp(ledger, origin, newName("Crowd"), newPassword()));
  }

  get unsent(): number {
    return this.#unsent.length;
  }

  /** Name of the realtime instance that serves this user. */
  get instance(): string | undefined {
    return this.client.socket.io.engine?.id?.split(".")[0];
  }

  chatWith(id: string, threadId: string): void {
    this.#friend = { id, threadId };
  }

  send = (): Sent | undefined => {
    if (!this.#friend || this.unsent >= Math.min(UNSENT_MAX, UNSENT_MAX_MS / this.#ackMs)) return undefined;
    const { id: to, threadId } = this.#friend;
    const client = this.client.name;
    const sent = this.#ledger.compose({ from: this.id, to, threadId, client, isGuaranteed: true });
    this.#unsent.push(sent);
    void this.#sendAll();
    return sent;
  };

  /** Sends one message after the other. */
  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    const { socket, session } = this.client;
    for (let sent = this.#unsent[0]; sent; sent = this.#unsent[0]) {
      const payload = {
        client_id: randomUUID(),
        thread_id: sent.threadId,
        sending_user_id: sent.from,
        recipient_user_id: sent.to,
        text: sent.text,
        timestamp: new Date(sent.sentAt).toISOString(),
        read: false,
      };
      while (sent.ackedAt === undefined && sent.refusedAt === undefined) {
        const askedAt = performance.now();
        const ack = socket.connected
          ? await socket
              .timeout(ACK_MS)
              .emitWithAck("send_message", payload)
              .catch(() => undefined)
          : undefined;
        const stored = ack && observeAck(this.#ledger, session, payload, ack);
        if (stored) this.#learn(stored.seq);
        if (sent.ackedAt !== undefined) this.#ackMs += NEWEST * (performance.now() - askedAt - this.#ackMs);
        if (!ack || "error" in ack) await pause(RETRY_MS);
      }
      this.#unsent.shift();
    }
    this.#isSending = false;
  }

  /** Fetches the messages that arrived while the client was not connected. */
  async #catchUp(): Promise<void> {
    if (!this.#friend) return;
    const { threadId } = this.#friend;
    const { socket } = this.client;
    for (let isComplete = false; !isComplete && socket.connected; ) {
      const query = { thread_id: threadId, after_seq: this.#completeTo, limit: PAGE_MAX_MESSAGES };
      await this.call(listMessages, { params: { user_id: this.id }, query }).then(
        (page) => {
          isComplete = page.length < PAGE_MAX_MESSAGES;
          // The page has all messages that are stored, even if their numbers have a gap.
          this.#completeTo = Math.max(this.#completeTo, page.at(-1)?.seq ?? 0);
        },
        () => pause(RETRY_MS),
      );
    }
  }

  /** Records that the client has a message. */
  #learn(seq: number): void {
    if (seq > this.#completeTo) this.#later.add(seq);
    while (this.#later.delete(this.#completeTo + 1)) this.#completeTo += 1;
  }
}

/** Pairs of users with light clients. */
export class Crowd {
  readonly pairs: { threadId: string; people: readonly [CrowdMember, CrowdMember] }[] = [];
  readonly #url: string;
  readonly #ledger: Ledger;

  constructor(url: string, ledger: Ledger) {
    this.#url = url;
    this.#ledger = ledger;
  }

  get members(): CrowdMember[] {
    return this.pairs.flatMap(({ people }) => people);
  }

  /** Registers pairs of friends and waits until their clients are connected. */
  async populate(count: number): Promise<void> {
    const pairs = Math.floor(count / 2);
    while (this.pairs.length < pairs) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, pairs - this.pairs.length) }, () => this.#addPair()));
    }
    while (!this.members.every(({ client }) => client.socket.connected)) await pause(100);
  }

  async #addPair(): Promise<void> {
    const register = () => CrowdMember.register(this.#url, this.#ledger);
    const people = await Promise.all([register(), register()]);
    const [one, other] = people;
    const body = { user_id: one.id, friend_id: other.id };
    const { thread_id: threadId } = await withRetries(() => one.call(addFriend, { body }));
    this.#ledger.addThread(threadId, [one.id, other.id]);
    one.chatWith(other.id, threadId);
    other.chatWith(one.id, threadId);
    this.pairs.push({ threadId, people });
  }

  /** Sends messages of random members at a steady rate until `isOver`. */
  async chat(steady: SteadyRate): Promise<void> {
    const { members } = this;
    if (members.length > 0 && steady.rate > 0) await atRate(steady, () => void steady.random.pick(members).send());
  }

  close(): void {
    for (const { client } of this.members) client.close();
  }
}
