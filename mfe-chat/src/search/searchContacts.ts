import type { FriendEntry } from "../view/model.ts";

/** Returns the friends whose name contains the text, ignoring case. */
export function searchContacts(friends: readonly FriendEntry[], text: string): FriendEntry[] {
  const searched = text.trim().toLocaleLowerCase();
  if (searched === "") return [];
  return friends.filter(({ friend }) => friend.name.toLocaleLowerCase().includes(searched));
}
