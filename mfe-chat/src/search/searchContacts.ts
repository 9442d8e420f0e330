import type { FriendEntry } from "../view/model.ts";

/** The friends whose name contains the text, whatever the case. */
export function searchContacts(friends: readonly FriendEntry[], text: string): FriendEntry[] {
  const searched = text.trim().toLocaleLowerCase();
  if (searched === "") return [];
  return friends.filter(({ friend }) => friend.name.toLocaleLowerCase().includes(searched));
}
