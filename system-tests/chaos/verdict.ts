import { listMessages, type Message } from "@messageoh/contracts/messages";
import { withRetries } from "../client/account.ts";
import type { Pair } from "./run.ts";
import type { Tab } from "./tab.ts";

/** The result of a run, as counts. */
export interface Verdict {
  sent: number;
  acked: number;
  stored: number;
  /** Messages that tabs with catch-up received. */
  received: number;
  /** Messages that tabs without catch-up must receive. */
  observed: number;
  lost: number;
  duplicated: number;
  outOfOrder: number;
  rejected: number;
  wrongUnread: number;
  wrongSignOuts: number;
  staleLists: number;
  /** Longest time from sending to delivery, in milliseconds. */
  longestDeliveryMs: number;
  details: string[];
}

/** Compares the acked messages of every sender, the stored messages and the messages of every tab. */
export async function judge(pairs: readonly Pair[]): Promise<Verdict> {
  const verdict: Verdict = {
    sent: 0,
    acked: 0,
    stored: 0,
    received: 0,
    observed: 0,
    lost: 0,
    duplicated: 0,
    outOfOrder: 0,
    rejected: 0,
    wrongUnread: 0,
    wrongSignOuts: 0,
    staleLists: 0,
    longestDeliveryMs: 0,
    details: [],
  };
  for (const pair of pairs) await judgePair(pair, verdict);
  return verdict;
}

async function judgePair({ thread_id, tabs, observers, sent }: Pair, verdict: Verdict): Promise<void> {
  const record = (key: "lost" | "duplicated" | "outOfOrder" | "wrongUnread", count: number, detail: string) => {
    if (count === 0) return;
    verdict[key] += count;
    verdict.details.push(`${thread_id}: ${count} ${detail}`);
  };
  const stored = await readAll(tabs[0] as Tab, thread_id);
  verdict.sent += sent;
  verdict.stored += stored.length;
  record("outOfOrder", stored.filter((message, index) => message.seq !== index + 1).length, "wrong sequence numbers");
  record("duplicated", stored.length - new Set(stored.map((message) => message.text)).size, "stored twice");

  const storedIds = new Set(stored.map((message) => message.id));
  for (const tab of tabs) {
    verdict.acked += tab.outbox.acked.length;
    verdict.rejected += tab.outbox.rejected.length;
    verdict.wrongSignOuts += tab.wrongSignOuts;
    verdict.staleLists += tab.staleLists;
    verdict.longestDeliveryMs = tab.deliveryMs.reduce(
      (longest, ms) => Math.max(longest, ms),
      verdict.longestDeliveryMs,
    );
    record("lost", tab.outbox.acked.filter((message) => !storedIds.has(message.id)).length, "acked but not stored");
    const order = stored.filter((message) => message.sending_user_id === tab.account.id).map(indexOf);
    record(
      "outOfOrder",
      order.filter((index, at) => at > 0 && index < (order[at - 1] as number)).length,
      "stored out of order",
    );

    const received = [...tab.messages.values()].sort((a, b) => a.seq - b.seq);
    verdict.received += received.length;
    const receivedIds = new Set(received.map((message) => message.id));
    record(
      "lost",
      stored.filter((message) => !receivedIds.has(message.id)).length,
      `not received by ${tab.account.id}`,
    );
    record(
      "outOfOrder",
      received.filter((message, at) => message.id !== stored[at]?.id && storedIds.size === received.length).length,
      "received out of order",
    );

    const state = await withRetries(() => tab.state());
    const unread = stored.filter(
      (message) => message.seq > state.read_seq && message.recipient_user_id === tab.account.id,
    );
    record("wrongUnread", Math.abs(state.unread_count - unread.length), "unread messages counted wrongly");
    record("wrongUnread", state.read_seq < tab.readSeq ? 1 : 0, "read marker moved back");
  }
  for (const observer of observers) {
    const ids = new Set(observer.received);
    const expected = observer.expected(stored);
    verdict.observed += expected.length;
    record(
      "lost",
      expected.filter((message) => !ids.has(message.id)).length,
      "not delivered to a connected tab without catch-up",
    );
    const disorder = observer.outOfOrder;
    const examples = disorder.slice(0, 3).join("; ");
    record("outOfOrder", disorder.length, `delivered out of order to a tab without catch-up (${examples})`);
    record("duplicated", observer.received.length - ids.size, "delivered twice to a tab without catch-up");
  }
}

const indexOf = (message: Message): number => Number(message.text.split("|")[1]);

async function readAll(tab: Tab, thread_id: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const query = { thread_id, after_seq: all.at(-1)?.seq ?? 0, limit: 200 };
    const page = await withRetries(() =>
      tab.account.call(listMessages, { params: { user_id: tab.account.id }, query }),
    );
    if (page.length === 0) return all;
    all.push(...page);
  }
}
