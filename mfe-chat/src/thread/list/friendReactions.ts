import { summaryOf } from "@messageoh/contracts/attachments";
import { beginningOf } from "@messageoh/contracts/beginningOf";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";

const TEXT_MAX = 40;

/** The friend's reactions to own messages, by the key of the message; `null` for a message without one. */
type FriendReactions = ReadonlyMap<string, string | null>;

/** Returns the friend's reaction to each own message. */
export const friendReactions = (messages: readonly ThreadMessage[]): FriendReactions =>
  new Map(
    messages
      .filter(({ isMine }) => isMine)
      .map(({ key, reactions }) => [key, reactions?.find((reaction) => !reaction.isMine)?.emoji ?? null]),
  );

/** Returns the announcement of the reactions that are new since `before`, to messages that were already there. */
export function reactionAnnouncement(
  messages: readonly ThreadMessage[],
  before: FriendReactions,
  friendName: string,
): string {
  const now = friendReactions(messages);
  return messages
    .filter(({ key }) => before.has(key) && now.get(key) != null && now.get(key) !== before.get(key))
    .map((message) => `${friendName} reacted ${now.get(message.key)} to: ${beginning(summaryOf(message))}`)
    .join("\n");
}

function beginning(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  const start = beginningOf(line, TEXT_MAX);
  return start === line ? line : `${start.trimEnd()}...`;
}
