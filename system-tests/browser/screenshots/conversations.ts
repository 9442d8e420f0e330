import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AvatarId } from "@messageoh/contracts/avatars";
import { parse } from "yaml";

/** Days before today, time of day, sender and text. */
export type Line = [daysAgo: number, time: string, from: "me" | "friend", text: string];

/** A friend of the shown user with their messages. */
export interface Conversation {
  name: string;
  avatar: AvatarId;
  lines: Line[];
  /** Number of last lines that the shown user has not read. */
  unread?: number;
  /** Number of lines that the friend has read, and that have been delivered. */
  readByFriend?: number;
  deliveredToFriend?: number;
  isOnline?: boolean;
}

const stored: Conversation[] = parse(readFileSync(join(import.meta.dirname, "conversations.yaml"), "utf8"));

const club: Conversation = {
  name: "Book club Bea",
  avatar: "chicken-id",
  lines: Array.from({ length: 120 }, (_, at): Line => {
    const time = `${String(9 + Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    return [0, time, "friend", `Note on chapter ${at + 1}: I would have turned back at the bridge, wouldn't you?`];
  }),
  unread: 115,
};

/** Conversations, sorted by their last message, oldest first. */
export const CONVERSATIONS: Conversation[] = stored.toSpliced(-2, 0, club);

/** Users without friends. */
export const STRANGERS: [name: string, avatar: AvatarId][] = [
  ["Alba", "fox2-id"],
  ["Alberto", "weasel-id"],
  ["Alma", "meerkat-id"],
  ["Rosalind", "deer2-id"],
  ["Zoe", "fish-id"],
];
