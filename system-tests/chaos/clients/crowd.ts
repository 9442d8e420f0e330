import { randomUUID } from "node:crypto";
import type { Call } from "@messageoh/contracts/client";
import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { listMessages } from "@messageoh/contracts/messages";
import pLimit from "p-limit";
import { pause } from "../../client/account.ts";
import { atRate, type SteadyRate } from "../../client/steadyRate.ts";
import type { Ledger, Sent, Session } from "../checker/ledger.ts";
import type { Random } from "../random.ts";
import { signUpFriends } from "./accounts.ts";
import { observeAck } from "./observedAck.ts";
import { observedCall } from "./observedCall.ts";
import { SpecClient } from "./specClient.ts";

const AT_ONCE = 8;
const ACK_MS = 10_000;
const RETRY_MS = 1_000;
/** A user with more unsent messages stops writing. */
const UNSENT_MAX = 25;

/**
 * A user with one light client, which carries load: a client of the specification that also gives each message an id,
 * sends it again until it is acked, and fetches what it missed.
 */
class CrowdMember {
  readonly id: string;
  readonly call: Call;
  readonly client: SpecClient;
  readonly isGone = false;
  readonly #ledger: Ledger;
  readonly #unsent: Sent[] = [];
  readonly #friendId: string;
  readonly #threadId: string;
  #isSending = false;
  /** Number of the newest message that the client has fetched. */
  #fetchedTo = 0;

  constructor(url: string, ledger: Ledger, session: Session, friendId: string, threadId: string) {
    this.id = session.userId;
    this.#ledger = ledger;
    this.#friendId = friendId;
    this.#threadId = threadId;
    this.call = observedCall(url, ledger, () => session);
    this.client = new SpecClient(url, ledger, session, () => [friendId]);
    this.client.socket.on("connect", () => void this.#catchUp());
  }

  get unsent(): number {
    return this.#unsent.length;
  }

  /** Name of the realtime instance that serves this user. */
  get instance(): string | undefined {
    return this.client.socket.io.engine?.id?.split(".")[0];
  }

  send = (): Sent | undefined => {
    if (this.unsent >= UNSENT_MAX) return undefined;
    const route = { from: this.id, to: this.#friendId, threadId: this.#threadId };
    const sent = this.#ledger.compose({ ...route, client: this.client.name, isGuaranteed: true });
    this.#unsent.push(sent);
    if (!this.#isSending) void this.#sendAll();
    return sent;
  };

  /** Sends one message after the other. */
  async #sendAll(): Promise<void> {
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
        const acked = socket.connected && socket.timeout(ACK_MS).emitWithAck("send_message", payload);
        const ack = acked ? await acked.catch(() => undefined) : undefined;
        if (ack) observeAck(this.#ledger, session, payload, ack);
        if (!ack || "error" in ack) await pause(RETRY_MS);
      }
      this.#unsent.shift();
    }
    this.#isSending = false;
  }

  /** Fetches the messages that arrived while the client was not connected. */
  async #catchUp(): Promise<void> {
    for (let isComplete = false; !isComplete && this.client.socket.connected; ) {
      const query = { thread_id: this.#threadId, after_seq: this.#fetchedTo, limit: PAGE_MAX_MESSAGES };
      await this.call(listMessages, { params: { user_id: this.id }, query }).then(
        (page) => {
          isComplete = page.length < PAGE_MAX_MESSAGES;
          this.#fetchedTo = page.at(-1)?.seq ?? this.#fetchedTo;
        },
        () => pause(RETRY_MS),
      );
    }
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
    await pLimit(AT_ONCE).map(Array(Math.floor(count / 2)), () => this.#addPair());
    while (!this.members.every(({ client }) => client.socket.connected)) await pause(100);
  }

  async #addPair(): Promise<void> {
    const { sessions, threadId } = await signUpFriends(this.#url, this.#ledger, "Crowd");
    const [one, other] = sessions;
    const member = (session: Session, { userId }: Session) =>
      new CrowdMember(this.#url, this.#ledger, session, userId, threadId);
    this.pairs.push({ threadId, people: [member(one, other), member(other, one)] });
  }

  /** Sends messages of random members at a steady rate until `isOver`. */
  async chat(steady: SteadyRate & { random: Random }): Promise<void> {
    const { members } = this;
    if (members.length > 0 && steady.rate > 0) await atRate(steady, () => void steady.random.pick(members).send());
  }

  close(): void {
    for (const { client } of this.members) client.close();
  }
}
