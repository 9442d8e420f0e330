import type { Message } from "@messageoh/contracts/messages";
import type { Checks } from "./checks.ts";

/** A message that a client was told to send. */
export interface Sent {
  /** Unique: it begins with the stream and the number of the message. */
  text: string;
  from: string;
  to: string;
  threadId: string;
  /** Messages of one stream come from one client and belong to one thread. */
  stream: string;
  /** Counts 1, 2, 3, ... in the stream. */
  n: number;
  sentAt: number;
  /** Sent by the product's client, which retries until the message is acked. */
  isGuaranteed: boolean;
  isAcked: boolean;
  /** Id and number of the stored message, once a client has seen it. */
  id?: string;
  seq?: number;
  /** When the first of the recipient's clients knew of it. */
  arrivedAt?: number;
}

/** A session, with the time at which a client began to end it. */
export interface Session {
  userId: string;
  cookie: string;
  endingAt?: number;
  /** The server has confirmed the end. */
  hasEnded: boolean;
}

const LENGTHS = [0, 0, 0, 0, 0, 0, 200, 200, 1_000, 4_000];

/** The independent record of a run: who sent what to whom, and what each user can know. */
export class Ledger {
  readonly checks: Checks;
  readonly sent = new Map<string, Sent>();
  readonly sessions: Session[] = [];
  /** Members by thread. */
  readonly members = new Map<string, readonly [string, string]>();
  readonly #counts = new Map<string, number>();
  readonly #idOfNumber = new Map<string, string>();
  /** Messages that have not arrived, by recipient and thread. */
  readonly #underWay = new Map<string, Set<Sent>>();
  readonly #known = new Map<string, number>();
  readonly #readMost = new Map<string, number>();
  readonly #readLeast = new Map<string, number>();
  readonly #lastSeq = new Map<string, number>();

  constructor(checks: Checks) {
    this.checks = checks;
  }

  /** Records a message before it is sent, and returns its text. */
  compose(route: { from: string; to: string; threadId: string; client: string; isGuaranteed: boolean }): Sent {
    const { client, ...message } = route;
    const stream = `${client}/${route.threadId}`;
    const n = (this.#counts.get(stream) ?? 0) + 1;
    this.#counts.set(stream, n);
    const length = LENGTHS[(n * 7 + stream.length) % LENGTHS.length] as number;
    const text = `${stream}#${n}`.padEnd(length, ` ${n}`);
    const sent: Sent = { ...message, stream, n, text: text.trimEnd(), sentAt: Date.now(), isAcked: false };
    this.sent.set(sent.text, sent);
    const key = `${sent.to}/${sent.threadId}`;
    this.#underWay.set(key, (this.#underWay.get(key) ?? new Set()).add(sent));
    return sent;
  }

  /** Checks a message that a client of `viewer` received, in any way, and records what it reveals. */
  see(viewer: string, message: Message): Sent | undefined {
    if (message.seq === 0) return undefined;
    const { thread_id, seq, id } = message;
    const sent = this.sent.get(message.text);
    const about = () => `${viewer} received ${labelOf(message)}`;
    this.checks.verify(
      "nobody else receives a message",
      viewer === (sent?.from ?? message.sending_user_id) || viewer === (sent?.to ?? message.recipient_user_id),
      about,
    );
    this.checks.verify(
      "sender, thread and text are unchanged",
      sent !== undefined &&
        message.sending_user_id === sent.from &&
        message.recipient_user_id === sent.to &&
        thread_id === sent.threadId,
      about,
    );
    if (!sent) return undefined;
    const number = `${thread_id}/${seq}`;
    const known = this.#idOfNumber.get(number) ?? id;
    const isOnce = known === id && (sent.id === undefined || sent.id === id);
    this.checks.verify("a message is stored once", isOnce, () => `${about()}, also known as ${sent.id} and ${known}`);
    this.#idOfNumber.set(number, id);
    sent.id ??= id;
    sent.seq ??= seq;
    this.#lastSeq.set(thread_id, Math.max(seq, this.lastSeqOf(thread_id)));
    this.know(viewer, thread_id, seq);
    this.#noteArrivals(sent.to, thread_id);
    return sent;
  }

  /** Records that one of the user's clients knows of the messages up to `seq`. */
  know(userId: string, threadId: string, seq: number): void {
    raise(this.#known, `${userId}/${threadId}`, seq);
    this.#noteArrivals(userId, threadId);
  }

  /** A tab with a closed thread knows the number of its newest message only. */
  #noteArrivals(userId: string, threadId: string): void {
    const underWay = this.#underWay.get(`${userId}/${threadId}`) ?? new Set();
    const known = this.knownTo(userId, threadId);
    for (const sent of underWay) {
      if (sent.seq === undefined || sent.seq > known) continue;
      sent.arrivedAt = Date.now();
      underWay.delete(sent);
    }
  }

  knownTo = (userId: string, threadId: string): number => this.#known.get(`${userId}/${threadId}`) ?? 0;
  lastSeqOf = (threadId: string): number => this.#lastSeq.get(threadId) ?? 0;

  /** Records that the user had the thread open with the messages up to `seq`. */
  mayHaveRead(userId: string, threadId: string, seq: number): void {
    raise(this.#readMost, `${userId}/${threadId}`, seq);
  }

  /** Records that the server confirmed the user's read marker. */
  hasRead(userId: string, threadId: string, seq: number): void {
    raise(this.#readLeast, `${userId}/${threadId}`, seq);
  }

  /** Returns the lowest and the highest possible read marker of a user. They are equal once all tabs are confirmed. */
  readRange(userId: string, threadId: string): { least: number; most: number } {
    const key = `${userId}/${threadId}`;
    const least = this.#readLeast.get(key) ?? 0;
    return { least, most: Math.max(least, this.#readMost.get(key) ?? 0) };
  }

  /** Checks a read marker or a delivery receipt that `viewer` sees. */
  checkMarker(viewer: string, kind: "read" | "delivered", threadId: string, userId: string, seq: number): void {
    const members = this.members.get(threadId);
    if (!members) return;
    const about = () => `${viewer} sees ${kind} ${seq} of ${userId} in ${threadId}`;
    this.checks.verify("nobody else receives a receipt", members.includes(viewer) && members.includes(userId), about);
    if (seq === 0 || !members.includes(userId)) return;
    if (kind === "delivered") {
      const known = this.knownTo(userId, threadId);
      this.checks.verify("delivered ticks are true", seq <= known, () => `${about()}, who knows ${known}`);
    } else {
      const { most } = this.readRange(userId, threadId);
      this.checks.verify("read ticks are true", seq <= most, () => `${about()}, who has read ${most}`);
    }
  }

  begin(userId: string, cookie: string): Session {
    const session: Session = { userId, cookie, hasEnded: false };
    this.sessions.push(session);
    return session;
  }
}

function raise(map: Map<string, number>, key: string, value: number): void {
  if (value > (map.get(key) ?? 0)) map.set(key, value);
}

export const labelOf = ({ id, seq, thread_id, sending_user_id, recipient_user_id, text }: Message): string =>
  `${id} (number ${seq} of ${thread_id}, ${sending_user_id} to ${recipient_user_id}, "${text.slice(0, 60)}")`;
