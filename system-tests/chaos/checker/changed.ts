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

/**
 * Checks that a tab shows the newest state of each stored message.
 * @param starred numbers of the messages that the user has starred
 */
export function checkNewest(
  ledger: Ledger,
  tab: string,
  messages: readonly Message[],
  shown: readonly ThreadMessage[],
  starred: ReadonlySet<number>,
): void {
  const shownById = new Map(shown.map((message) => [message.id, message]));
  for (const message of messages) {
    const row = shownById.get(message.id);
    // A missing one is another check. The texts and reactions of a deleted account leave open pages when they are
    // reloaded.
    if (!row || ledger.members.get(message.thread_id)?.some((userId) => ledger.withoutTexts.has(userId))) continue;
    const [stored, seen] = [stateOf(message, starred.has(message.seq)), shownState(row)];
    const about = () => `${tab} shows number ${message.seq} of ${message.thread_id} as ${seen}, not as ${stored}`;
    ledger.checks.verify("a tab shows the newest state of each message", stored === seen, about);
  }
}

interface Look {
  text: string;
  editCount?: number;
  reactions?: readonly { emoji: string }[];
  isPinned?: boolean;
  isStarred?: boolean;
  isDeleted?: boolean;
}

const stateOf = ({ deleted_at, edit_count, pinned, ...message }: Message, isStarred: boolean): string =>
  shownState({
    ...message,
    editCount: edit_count,
    isPinned: pinned !== undefined,
    isStarred,
    isDeleted: deleted_at !== undefined,
  });

function shownState({ text, editCount = 0, reactions = [], isPinned, isStarred, isDeleted }: Look): string {
  if (isDeleted) return "deleted";
  const emoji = reactions.map((reaction) => reaction.emoji).toSorted();
  const marks = [...emoji, isPinned && "pin", isStarred && "star"].filter(Boolean).join(" ");
  return `"${text.slice(0, 60)}", edited ${editCount} times, with ${marks || "no marks"}`;
}
