import { listMessages, type Message } from "@messageoh/contracts/messages";
import { withRetries } from "../../client/account.ts";
import type { Person } from "../clients/person.ts";
import type { World } from "../clients/world.ts";
import type { Ledger } from "./ledger.ts";

const PAGE = 200;

/** Stored messages by thread, ascending. */
export type Stored = ReadonlyMap<string, readonly Message[]>;

/** Compares the stored messages with those that were sent and acked. */
export async function checkStored(world: World): Promise<Stored> {
  const { ledger } = world;
  const stored = new Map<string, Message[]>();
  for (const { threadId, people } of world.pairs) {
    const messages = await readAll(people[0], threadId);
    stored.set(threadId, messages);
    checkOrder(ledger, messages);
  }
  const ids = new Set([...stored.values()].flat().map(({ id }) => id));
  for (const { text, from, isGuaranteed, isAcked, id } of ledger.sent.values()) {
    const about = () => `"${text.slice(0, 60)}" of ${from}`;
    // An event may reveal a stored message whose ack was lost.
    if (isGuaranteed) ledger.checks.verify("each message is acked", isAcked || id !== undefined, about);
    if (id !== undefined) ledger.checks.verify("an acked message is stored", ids.has(id), about);
  }
  return stored;
}

/** Checks that the messages of each client are numbered in the order in which it sent them. */
function checkOrder(ledger: Ledger, messages: readonly Message[]): void {
  const lastOf = new Map<string, number>();
  const texts = new Set<string>();
  let lastSeq = 0;
  for (const message of messages) {
    const { text, seq, thread_id } = message;
    const about = () => `number ${seq} of ${thread_id} is "${text.slice(0, 60)}"`;
    ledger.checks.verify("a message is stored once", !texts.has(text), about);
    texts.add(text);
    const sent = ledger.sent.get(text);
    const before = lastOf.get(sent?.stream ?? "") ?? 0;
    const isNext = sent !== undefined && (sent.isGuaranteed ? sent.n === before + 1 : sent.n > before);
    const isAfter = seq > lastSeq;
    ledger.checks.verify(
      "messages are stored in the order of sending",
      isNext && isAfter,
      () => `${about()} after ${before}`,
    );
    if (sent) lastOf.set(sent.stream, sent.n);
    lastSeq = seq;
  }
}

async function readAll({ id, call }: Person, thread_id: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const query = { thread_id, after_seq: all.at(-1)?.seq ?? 0, limit: PAGE };
    const page = await withRetries(() => call(listMessages, { params: { user_id: id }, query }));
    if (page.length === 0) return all;
    all.push(...page);
  }
}
