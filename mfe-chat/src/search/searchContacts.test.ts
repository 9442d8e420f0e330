import type { FriendEntry } from "../view/model.ts";
import { searchContacts } from "./searchContacts.ts";

const thread = {
  threadId: "t",
  friendParticipantId: "f",
  messages: [],
  hasOlder: false,
  hasNewer: false,
  isLoaded: true,
  isGapLoading: false,
  loadError: false,
  unreadCount: 0,
  firstUnreadSeq: null,
  lastMessage: null,
  isFriendTyping: false,
};
const friends: FriendEntry[] = ["Albus", "Minerva", "albert", "Al.us"].map((name) => ({
  friend: { id: name, name, avatar_id: "dog-id" },
  isOnline: false,
  lastSeenAt: null,
  hasDraft: false,
  isMuted: false,
  hasNotice: false,
  thread,
}));
const found = (text: string) => searchContacts(friends, text).map(({ friend }) => friend.name);

it("returns names that contain the text, in the order of the list", () => {
  expect(found("er")).toEqual(["Minerva", "albert"]);
});

it("ignores the case", () => {
  expect(found("AL")).toEqual(["Albus", "albert", "Al.us"]);
});

it("treats the text as plain text", () => {
  expect(found("l.u")).toEqual(["Al.us"]);
});

it("ignores spaces around the text", () => {
  expect(found(" minerva ")).toEqual(["Minerva"]);
});

it("returns nobody for an empty text", () => {
  expect(found("  ")).toEqual([]);
});
