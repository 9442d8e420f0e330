import { listMessages, type Message } from "@messageoh/contracts/messages";
import { insist } from "../client/account.ts";
import type { Pair } from "./run.ts";
import type { Tab } from "./tab.ts";

/** What a run came to, by number. */
export interface Verdict {
  sent: number;
  acked: number;
  stored: number;
  /** By the tabs that catch up, all tabs together. */
  received: number;
  /** By the tabs that know the specification only, of what they had to get. */
  observed: number;
  lost: number;
  doubled: number;
  outOfOrder: number;
  refused: number;
  wrongUnread: number;
  wrongVerdicts: number;
  staleStates: number;
  /** Longest time from writing a message to its arrival, in milliseconds. */
  longestWait: number;
  details: string[];
}

/** Compares what every sender was acked for, what the database holds and what every tab saw. */
export async function judge(pairs: readonly Pair[]): Promise<Verdict> {
  const verdict: Verdict = {
    sent: 0,
    acked: 0,
    stored: 0,
    received: 0,
    observed: 0,
    lost: 0,
    doubled: 0,
    outOfOrder: 0,
    refused: 0,
    wrongUnread: 0,
    wrongVerdicts: 0,
    staleStates: 0,
    longestWait: 0,
    details: [],
  };
  for (const pair of pairs) await judgePair(pair, verdict);
  return verdict;
}

async function judgePair({ thread_id, tabs, observers, sent }: Pair, verdict: Verdict): Promise<void> {
  const blame = (key: "lost" | "doubled" | "outOfOrder" | "wrongUnread", count: number, detail: string) => {
    if (count === 0) return;
    verdict[key] += count;
    verdict.details.push(`${thread_id}: ${count} ${detail}`);
  };
  const stored = await readAll(tabs[0] as Tab, thread_id);
  verdict.sent += sent;
  verdict.stored += stored.length;
  blame("outOfOrder", stored.filter((message, index) => message.seq !== index + 1).length, "numbers with gaps");
  blame("doubled", stored.length - new Set(stored.map((message) => message.text)).size, "stored twice");

  const storedIds = new Set(stored.map((message) => message.id));
  for (const tab of tabs) {
    verdict.acked += tab.outbox.acked.length;
    verdict.refused += tab.outbox.refused.length;
    verdict.wrongVerdicts += tab.wrongVerdicts;
    verdict.staleStates += tab.staleStates;
    verdict.longestWait = tab.waits.reduce((longest, wait) => Math.max(longest, wait), verdict.longestWait);
    blame("lost", tab.outbox.acked.filter((message) => !storedIds.has(message.id)).length, "acked but not stored");
    const order = stored.filter((message) => message.sending_user_id === tab.account.id).map(indexOf);
    blame(
      "outOfOrder",
      order.filter((index, at) => at > 0 && index < (order[at - 1] as number)).length,
      "stored out of order",
    );

    const seen = [...tab.messages.values()].sort((a, b) => a.seq - b.seq);
    verdict.received += seen.length;
    const seenIds = new Set(seen.map((message) => message.id));
    blame("lost", stored.filter((message) => !seenIds.has(message.id)).length, `not seen by ${tab.account.id}`);
    blame(
      "outOfOrder",
      seen.filter((message, at) => message.id !== stored[at]?.id && storedIds.size === seen.length).length,
      "seen out of order",
    );

    const state = await insist(() => tab.state());
    const unread = stored.filter(
      (message) => message.seq > state.read_seq && message.recipient_user_id === tab.account.id,
    );
    blame("wrongUnread", Math.abs(state.unread_count - unread.length), "unread messages miscounted");
    blame("wrongUnread", state.read_seq < tab.readSeq ? 1 : 0, "read marker went back");
  }
  for (const observer of observers) {
    const ids = new Set(observer.received);
    const expected = observer.expected(stored);
    verdict.observed += expected.length;
    blame(
      "lost",
      expected.filter((message) => !ids.has(message.id)).length,
      "not brought to a connected tab without catch-up",
    );
    const disorder = observer.outOfOrder;
    const examples = disorder.slice(0, 3).join("; ");
    blame("outOfOrder", disorder.length, `brought out of order to a tab without catch-up (${examples})`);
    blame("doubled", observer.received.length - ids.size, "brought twice to a tab without catch-up");
  }
}

const indexOf = (message: Message): number => Number(message.text.split("|")[1]);

async function readAll(tab: Tab, thread_id: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const query = { thread_id, after_seq: all.at(-1)?.seq ?? 0, limit: 200 };
    const page = await insist(() => tab.account.call(listMessages, { params: { user_id: tab.account.id }, query }));
    if (page.length === 0) return all;
    all.push(...page);
  }
}
