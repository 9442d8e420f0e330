import type { AvatarId } from "@messageoh/contracts/avatars";

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

const albus: Conversation = {
  name: "Albus",
  avatar: "bear-id",
  isOnline: true,
  lines: [
    [3, "18:02", "friend", "Are you still up for the lake on Thursday?"],
    [3, "18:05", "me", "Absolutely. Shall I bring the small boat?"],
    [3, "18:06", "friend", "Yes please! And the thermos, the mornings are cold 🥶"],
    [1, "20:14", "me", "Boat is packed. The pump too, after last year..."],
    [1, "20:15", "me", "Weather says sunny until five."],
    [1, "20:31", "friend", "Perfect ☀️"],
    [1, "20:31", "friend", "🚣🎉"],
    [1, "20:31", "friend", "I found the path along the north shore: https://maps.example.org/lake/north-shore"],
    [0, "08:12", "friend", "Good morning! Train is on time, I'm in the last carriage."],
    [0, "08:15", "me", "Great, I'll be at the bakery next to the station. Do you want anything?"],
    [0, "08:16", "friend", "A cinnamon bun 🙏\nTwo, if they are still warm."],
    [0, "14:48", "me", "What a day. My arms will remember that boat."],
    [0, "14:52", "friend", "Same here! Thank you for the buns, the lantern and the company."],
    [0, "15:02", "me", "Let's do it again in June?"],
    [0, "15:09", "me", "I put the photos into our folder."],
    [0, "15:18", "me", "The one with the heron is my favourite."],
  ],
  readByFriend: 14,
  deliveredToFriend: 15,
};

const noor: Conversation = {
  name: "Noor",
  avatar: "cat-id",
  isOnline: true,
  lines: [
    [1, "11:20", "me", "How is the new flat?"],
    [1, "11:42", "friend", "Loud, bright and ours 🎉"],
    [0, "14:20", "me", "Can I help with the shelves on Saturday?"],
    [0, "15:11", "friend", "You are an angel!"],
    [0, "15:11", "friend", "We start at ten. Bring the good drill, ours only makes noise."],
    [0, "15:13", "friend", "There will be soup, and my sister's plum cake if nobody finds it before you do."],
  ],
  unread: 3,
};

const ines: Conversation = {
  name: "Ines Wilhelmina von Hohenstein",
  avatar: "giraffe-id",
  lines: [
    [2, "09:30", "friend", `Look at this word: ${"Donaudampfschifffahrtsgesellschaftskapitän".repeat(3)}`],
    [2, "09:31", "friend", `https://example.org/a/very/long/path/${"that-never-ends-".repeat(8)}`],
    [2, "09:40", "me", "👍"],
    [2, "09:41", "me", "You win. Write to words@example.org, they collect such things!"],
    [2, "09:42", "friend", "🦒🦒🦒"],
    [
      2,
      "09:55",
      "friend",
      "A long one, so that you have something to read on the train: when we were children, the river froze every winter, " +
        "and everybody who owned anything with runners was on the ice by noon.\n\nMy grandmother sold hot chestnuts from a " +
        "pram. She said that a frozen river is the only street on which everyone is equally clumsy.\n\nI think of that " +
        "sentence at least once a week.",
    ],
  ],
};

const club: Conversation = {
  name: "Book club Bea",
  avatar: "chicken-id",
  lines: Array.from({ length: 120 }, (_, at): Line => {
    const time = `${String(9 + Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    return [0, time, "friend", `Note on chapter ${at + 1}: I would have turned back at the bridge, wouldn't you?`];
  }),
  unread: 115,
};

const short = (name: string, avatar: AvatarId, ...lines: Line[]): Conversation => ({ name, avatar, lines });

/** Conversations, sorted by their last message, oldest first. */
export const CONVERSATIONS: Conversation[] = [
  short("Pip", "rabbit2-id"),
  short("Jonas", "seal-id", [400, "12:00", "friend", "Happy new year from the other side of the world!"]),
  short("Lucia", "deer-id", [70, "17:25", "me", "The lantern is still in your car, by the way."]),
  short("Mr. Okafor", "snake-id", [15, "10:05", "friend", "Your bicycle is ready to be picked up."]),
  { ...short("Sam", "panda-id", [6, "21:10", "friend", "Chess tomorrow?"]), isOnline: true },
  ines,
  short("Theo", "dog-id", [1, "22:47", "me", "Sleep well!"]),
  club,
  noor,
  albus,
];

/** Users without friends. */
export const STRANGERS: [name: string, avatar: AvatarId][] = [
  ["Alba", "fox2-id"],
  ["Alberto", "weasel-id"],
  ["Alma", "meerkat-id"],
  ["Rosalind", "deer2-id"],
  ["Zoe", "fish-id"],
];
