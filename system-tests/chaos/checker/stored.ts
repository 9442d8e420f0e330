import type { Call } from "@messageoh/contracts/client";
import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { listMessages, type Message } from "@messageoh/contracts/messages";
import pLimit from "p-limit";
import { withRetries } from "../../client/account.ts";
import type { World } from "../clients/world.ts";
import { checkDeleted } from "./changed.ts";
import { describeSent, isAnswered, type Ledger } from "./ledger.ts";

/** Threads that are read at the same time. */
const AT_ONCE = 4;

/** Stored messages by thread, ascending. */
export type Stored = ReadonlyMap<string, readonly Message[]>;

/** Compares the stored messages with those that were sent and acked. */
export async function checkStored(world: World): Promise<Stored> {
  const { ledger } = world;
  const stored = new Map<string, Message[]>();
  const pairs = [...world.pairs, ...world.crowd.pairs];
  await pLimit(AT_ONCE).map(pairs, async ({ threadId, people }) => {
    const reader = people.find(({ isGone }) => !isGone);
    if (!reader) return;
    const messages = await readAll(reader, threadId);
    stored.set(threadId, messages);
    checkOrder(ledger, messages);
    checkDeleted(ledger, messages);
  });
  const ids = new Set([...stored.values()].flat().map(({ id }) => id));
  for (const sent of ledger.sent.values()) {
    const { threadId, isGuaranteed, id } = sent;
    if (!stored.has(threadId)) continue;
    const about = () => describeSent(sent);
    if (isGuaranteed && !isAnswered(sent) && ledger.isGivenUp(sent)) continue;
    if (isGuaranteed) ledger.checks.verify("each message is acked", isAnswered(sent), about);
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
    if (ledger.isUnknown(message, thread_id)) continue;
    const sent = ledger.find(message);
    ledger.checks.verify("a message is stored once", !texts.has(sent?.text ?? text), about);
    texts.add(sent?.text ?? text);
    const before = lastOf.get(sent?.stream ?? "") ?? 0;
    const isNext = sent !== undefined && (ledger.follows(sent, before) || ledger.isBelated(sent));
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

async function readAll({ id, call }: { id: string; call: Call }, thread_id: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const query = { thread_id, after_seq: all.at(-1)?.seq ?? 0, limit: PAGE_MAX_MESSAGES };
    const page = await withRetries(() => call(listMessages, { params: { user_id: id }, query }));
    if (page.length === 0) return all;
    all.push(...page);
  }
}
