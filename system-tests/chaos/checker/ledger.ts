import type { Message } from "@messageoh/contracts/messages";
import type { Checks } from "./checks.ts";

/** A message that a client was told to send. */
export interface Sent {
  /** Unique: it begins with the stream and the number of the message. */
  text: string;
  from: string;
  to: string;
  threadId: string;
  /**
   * Messages of one stream belong to one thread and come from one client or, without acks, from one connection of it.
   */
  stream: string;
  /** Counts 1, 2, 3, ... in the stream. */
  n: number;
  sentAt: number;
  /** Sent by the product's client, which retries until the message is acked. */
  isGuaranteed: boolean;
  /** When the sender's client got the first ack. */
  ackedAt?: number;
  /** Attempts of the product's client to send it, and what became of the last one. */
  attempts: number;
  lastAttempt?: string;
  /** Id and number of the stored message, once a client has seen it. */
  id?: string;
  seq?: number;
  /** When a client first saw that it is stored, other than by an ack. */
  seenAt?: number;
  /** When the first of the recipient's clients knew of it. */
  arrivedAt?: number;
  /** When the sender's client showed that the server refused it permanently. */
  refusedAt?: number;
  /** Number of times that the sender began to edit it. */
  edits?: number;
  /** The sender began to delete it for both, or the server has confirmed that. */
  deletion?: "begun" | "confirmed";
  /** The thread from which it was forwarded. */
  forwardedFrom?: string;
}

/** A file of an acked message. */
interface SentFile {
  sent: Sent;
  mediaId: string;
  /** SHA-256 of its bytes. */
  hash: string;
}

/** A session, with the time at which a client began to end it. */
export interface Session {
  userId: string;
  cookie: string;
  /** The address from which the gateway counts its requests. */
  address: string;
  endingAt?: number;
  /** The server has confirmed the end. */
  hasEnded: boolean;
}

/** What svc-messages puts in the place of a deleted text. */
export const REMOVED_TEXT = "deleted";
const NOT_AFTER_REFUSAL = "nothing is delivered after its refusal";
/** Longest time for which svc-realtime tries to store a message. */
const STORING_TRIED_MS = 15_000;
/** Lengths of texts. */
const LENGTHS = [0, 0, 0, 0, 0, 0, 200, 200, 1_000, 4_000];

/** Who sends a message to whom, and with which client. */
export interface Route {
  from: string;
  to: string;
  threadId: string;
  client: string;
  isGuaranteed: boolean;
}

/** A stored message, or how a tab shows it. */
interface Seen {
  text: string;
  id: string;
  thread_id?: string;
  threadId?: string;
}

/** A copy has the text of the first message, so only its thread tells it from that one. */
const copyKey = (threadId: string | undefined, text: string) => `${threadId} ${text}`;

/** The independent record of a run: who sent what to whom, and what each user can know. */
export class Ledger {
  readonly checks: Checks;
  /** By text, and copies by thread and text. */
  readonly sent = new Map<string, Sent>();
  readonly sessions: Session[] = [];
  readonly files: SentFile[] = [];
  /** Members by thread. */
  readonly members = new Map<string, readonly [string, string]>();
  /** Messages by recipient, in the order of sending. */
  readonly sentTo = new Map<string, Sent[]>();
  /** Messages of clients that retry, which have neither arrived nor been refused. */
  readonly pending = new Set<Sent>();
  /**
   * Events that arrived again, or after later ones, at a client that connected while their message was being stored.
   */
  lateEvents = 0;
  /** Users who deleted their account with their texts. */
  readonly withoutTexts = new Set<string>();
  /** Returns whether the sender's client gave a message up after five minutes of failed attempts, and shows it so. */
  isGivenUp: (sent: Sent) => boolean = () => false;
  /**
   * Returns whether MongoDB may just have a new primary, whose majority reads are old until its first write is
   * confirmed.
   */
  mayReadOld: () => boolean = () => false;
  readonly #threads = new Map<string, string[]>();
  /** Times in which a thread had no friendship. */
  readonly #endings = new Map<string, { from: number; to: number }[]>();
  readonly #streams = new Map<string, Sent[]>();
  readonly #byId = new Map<string, Sent>();
  /** By the texts that edits gave them. */
  readonly #edited = new Map<string, Sent>();
  readonly #idOfNumber = new Map<string, string>();
  /** Messages that have not arrived, by recipient and thread. */
  readonly #underWay = new Map<string, Set<Sent>>();
  readonly #known = new Map<string, number>();
  readonly #listed = new Map<string, number>();
  readonly #readMost = new Map<string, number>();
  readonly #readLeast = new Map<string, number>();
  readonly #lastSeq = new Map<string, number>();

  constructor(checks: Checks) {
    this.checks = checks;
  }

  /** Records a friendship. */
  addThread(threadId: string, members: readonly [string, string]): void {
    if (this.members.has(threadId)) return;
    this.members.set(threadId, members);
    for (const userId of members) this.#threads.set(userId, [...this.threadsOf(userId), threadId]);
  }

  threadsOf = (userId: string): readonly string[] => this.#threads.get(userId) ?? [];

  threadBetween(userId: string, otherId: string): string | undefined {
    return this.threadsOf(userId).find((threadId) => this.members.get(threadId)?.includes(otherId));
  }

  /** Records that somebody begins to end the friendship of a thread. From then on, its messages may be refused. */
  beginEnding(threadId: string): void {
    const endings = this.#endings.get(threadId) ?? [];
    endings.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
    this.#endings.set(threadId, endings);
  }

  /** Records that the two users of a thread are friends again. */
  renew(threadId: string): void {
    const last = this.#endings.get(threadId)?.at(-1);
    if (last) last.to = Date.now();
  }

  /** Returns whether the users of a thread are not friends now. */
  hasEnded = (threadId: string): boolean => this.#endings.get(threadId)?.at(-1)?.to === Number.POSITIVE_INFINITY;

  /**
   * Returns whether the friendship, or that of the thread from which it was forwarded, had ended since a message was
   * sent.
   */
  mayRefuse({
    threadId,
    forwardedFrom = threadId,
    sentAt,
  }: Pick<Sent, "threadId" | "forwardedFrom" | "sentAt">): boolean {
    return [threadId, forwardedFrom].some((id) => this.#endings.get(id)?.some(({ to }) => to > sentAt));
  }

  /** Records that the server refused a message and that the client shows it as not sent. */
  refuse(sent: Sent): void {
    sent.refusedAt ??= Date.now();
    this.pending.delete(sent);
    const { id, text, from } = sent;
    this.checks.verify(NOT_AFTER_REFUSAL, id === undefined, () => `"${text.slice(0, 60)}" of ${from} is ${id}`);
  }

  /** Forgets about messages that a user who left had not sent. */
  leave(userId: string): void {
    for (const sent of [...this.pending]) {
      if (sent.from !== userId && sent.to !== userId) continue;
      this.pending.delete(sent);
      if (sent.from === userId) sent.isGuaranteed = false;
    }
  }

  /** Returns whether a message may follow number `before` of its stream: nothing between them was lost. */
  follows(sent: Sent, before: number): boolean {
    if (!sent.isGuaranteed) return sent.n > before;
    const between = this.#streams.get(sent.stream)?.slice(before, sent.n - 1) ?? [];
    const isAbsent = (other: Sent) =>
      other.refusedAt !== undefined ||
      (other.id === undefined && (this.withoutTexts.has(other.from) || this.isGivenUp(other)));
    return sent.n > before && between.every(isAbsent);
  }

  /**
   * Returns whether a message of a client without acks was stored after svc-realtime had given it up, by an attempt
   * that was still under way. Such a client has sent later messages meanwhile.
   */
  isBelated({ isGuaranteed, sentAt, seenAt = Date.now() }: Sent): boolean {
    return !isGuaranteed && seenAt > sentAt + STORING_TRIED_MS;
  }

  /** Records the copy of a message before it is forwarded to another thread. */
  forward({ text, threadId }: Sent, route: Route): Sent {
    return Object.assign(this.compose(route, text), { forwardedFrom: threadId });
  }

  /** Records a message before it is sent. */
  compose(route: Route, copied?: string): Sent {
    const { client, ...message } = route;
    const stream = `${client}/${route.threadId}`;
    const sentBefore = this.#streams.get(stream) ?? [];
    const n = sentBefore.length + 1;
    const length = LENGTHS[(n * 7 + stream.length) % LENGTHS.length] as number;
    const text = copied ?? `${stream}#${n}`.padEnd(length, ` ${n}`);
    const sent: Sent = { ...message, stream, n, text: text.trimEnd(), sentAt: Date.now(), attempts: 0 };
    sentBefore.push(sent);
    this.#streams.set(stream, sentBefore);
    this.sent.set(copied === undefined ? sent.text : copyKey(sent.threadId, sent.text), sent);
    const sentTo = this.sentTo.get(sent.to);
    if (sentTo) sentTo.push(sent);
    else this.sentTo.set(sent.to, [sent]);
    if (sent.isGuaranteed) this.pending.add(sent);
    const key = `${sent.to}/${sent.threadId}`;
    const underWay = this.#underWay.get(key);
    if (underWay) underWay.add(sent);
    else this.#underWay.set(key, new Set([sent]));
    return sent;
  }

  /** Records an edit before it is made, and returns the new text. */
  edit(sent: Sent): string {
    sent.edits = (sent.edits ?? 0) + 1;
    const text = `${sent.stream}#${sent.n}, edited ${sent.edits}`;
    this.#edited.set(text, sent);
    return text;
  }

  /** Records that the sender begins to delete a message. */
  delete(sent: Sent): void {
    sent.deletion ??= "begun";
  }

  /** Returns the message that was sent to a thread with a text. */
  sentAs(threadId: string | undefined, text: string): Sent | undefined {
    return this.sent.get(copyKey(threadId, text)) ?? this.sent.get(text);
  }

  /** Returns the sent message for a stored one: by one of its texts or, if the text may be deleted, by its id. */
  find({ text, id, thread_id, threadId = thread_id }: Seen): Sent | undefined {
    const sent = this.sentAs(threadId, text) ?? this.#edited.get(text);
    if (sent) return sent;
    const byId = this.#byId.get(id);
    return byId && (this.withoutTexts.has(byId.from) || byId.deletion !== undefined) ? byId : undefined;
  }

  /** Returns whether nobody saw a message before its text was removed: then nothing tells what it was sent as. */
  isUnknown({ text, id }: { text: string; id: string }, threadId: string): boolean {
    const mayBeRemoved = this.members.get(threadId)?.some((userId) => this.withoutTexts.has(userId)) === true;
    return mayBeRemoved && text === REMOVED_TEXT && !this.#byId.has(id);
  }

  /** Checks a message that a client of `viewer` received, in any way, and records what it reveals. */
  see(viewer: string, message: Message): Sent | undefined {
    const { thread_id, seq, id } = message;
    if (seq === 0 || this.isUnknown(message, thread_id)) return undefined;
    const sent = this.find(message);
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
    this.checks.verify(NOT_AFTER_REFUSAL, sent.refusedAt === undefined, about);
    this.#idOfNumber.set(number, id);
    this.#byId.set(id, sent);
    sent.id ??= id;
    sent.seq ??= seq;
    sent.seenAt ??= Date.now();
    this.#lastSeq.set(thread_id, Math.max(seq, this.lastSeqOf(thread_id)));
    raise(this.#known, `${viewer}/${thread_id}`, seq);
    if (viewer === sent.to) this.arrive(sent);
    this.#noteListed(sent.to, thread_id);
    return sent;
  }

  /** Records that one of the recipient's clients has a message. */
  arrive(sent: Sent): void {
    sent.arrivedAt ??= Date.now();
    this.pending.delete(sent);
    this.#underWay.get(`${sent.to}/${sent.threadId}`)?.delete(sent);
  }

  /** Records that a list told one of the user's clients of the messages up to `seq`. */
  list(userId: string, threadId: string, seq: number): void {
    raise(this.#known, `${userId}/${threadId}`, seq);
    raise(this.#listed, `${userId}/${threadId}`, seq);
    this.#noteListed(userId, threadId);
  }

  /** A tab with a closed thread knows the number of its newest message only. */
  #noteListed(userId: string, threadId: string): void {
    const key = `${userId}/${threadId}`;
    const listed = this.#listed.get(key) ?? 0;
    for (const sent of this.#underWay.get(key) ?? []) {
      if (sent.seq !== undefined && sent.seq <= listed) this.arrive(sent);
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

  begin(userId: string, cookie: string, address: string): Session {
    const session: Session = { userId, cookie, address, hasEnded: false };
    this.sessions.push(session);
    return session;
  }
}

function raise(map: Map<string, number>, key: string, value: number): void {
  if (value > (map.get(key) ?? 0)) map.set(key, value);
}

/** Returns whether a message was acked or refused. An event may reveal a stored message whose ack was lost. */
export const isAnswered = ({ ackedAt, id, refusedAt }: Sent): boolean =>
  ackedAt !== undefined || id !== undefined || refusedAt !== undefined;

export const labelOf = ({ id, seq, thread_id, sending_user_id, recipient_user_id, text }: Message): string =>
  `${id} (number ${seq} of ${thread_id}, ${sending_user_id} to ${recipient_user_id}, "${text.slice(0, 60)}")`;

/** Returns what is known of a message, for the report. */
export const describeSent = ({ text, from, sentAt, attempts, lastAttempt, id }: Sent): string =>
  `"${text.slice(0, 60)}" of ${from}, ${Date.now() - sentAt} ms old, ${id ?? "no id"}, ${attempts} attempts, last: ${lastAttempt}`;
