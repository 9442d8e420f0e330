import type { Message } from "@messageoh/contracts/messages";
import type { ThreadMessage } from "mfe-chat/client";
import { type Ledger, REMOVED_TEXT } from "./ledger.ts";

/** Checks what changes have made of the stored messages of a thread. */
export function checkChanged(ledger: Ledger, messages: readonly Message[]): void {
  const numbers = new Set<number>();
  for (const message of messages) {
    const { change, thread_id, seq } = message;
    const about = () => `number ${seq} of ${thread_id}, change ${change}, "${message.text.slice(0, 60)}"`;
    if (change !== undefined) {
      ledger.checks.verify("each change has a number of its own", !numbers.has(change), about);
      numbers.add(change);
    }
    if (ledger.find(message)?.deletion === "confirmed")
      ledger.checks.verify("a deleted message stays deleted", message.text === REMOVED_TEXT, about);
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
