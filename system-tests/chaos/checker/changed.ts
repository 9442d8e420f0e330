import type { Message } from "@messageoh/contracts/messages";
import type { ThreadMessage } from "mfe-chat/client";
import { type Ledger, REMOVED_TEXT } from "./ledger.ts";

/** Checks that deleted messages of a thread stay deleted. */
export function checkDeleted(ledger: Ledger, messages: readonly Message[]): void {
  for (const message of messages) {
    const { thread_id, seq, text } = message;
    if (ledger.find(message)?.deletion !== "confirmed") continue;
    const about = () => `number ${seq} of ${thread_id} is "${text.slice(0, 60)}"`;
    ledger.checks.verify("a deleted message stays deleted", text === REMOVED_TEXT, about);
  }
}

/** Checks that a tab shows the newest state of each stored message. */
export function checkNewest(
  ledger: Ledger,
  tab: string,
  messages: readonly Message[],
  shown: readonly ThreadMessage[],
): void {
  const shownById = new Map(shown.map((message) => [message.id, message]));
  for (const message of messages) {
    const row = shownById.get(message.id);
    // A missing one is another check. The texts and reactions of a deleted account leave open pages when they are reloaded.
    if (!row || ledger.members.get(message.thread_id)?.some((userId) => ledger.withoutTexts.has(userId))) continue;
    const [stored, seen] = [stateOf(message), shownState(row)];
    const about = () => `${tab} shows number ${message.seq} of ${message.thread_id} as ${seen}, not as ${stored}`;
    ledger.checks.verify("a tab shows the newest state of each message", stored === seen, about);
  }
}

function stateOf({ text, deleted_at, edit_count = 0, reactions = [] }: Message): string {
  if (deleted_at !== undefined) return "deleted";
  return lookOf(
    text,
    edit_count,
    reactions.map(({ emoji }) => emoji),
  );
}

function shownState({ text, isDeleted, editCount = 0, reactions = [] }: ThreadMessage): string {
  if (isDeleted) return "deleted";
  return lookOf(
    text,
    editCount,
    reactions.map(({ emoji }) => emoji),
  );
}

const lookOf = (text: string, edits: number, emoji: readonly string[]): string =>
  `"${text.slice(0, 60)}", edited ${edits} times, with ${emoji.toSorted().join(" ") || "no reactions"}`;
