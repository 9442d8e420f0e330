import type { Friend } from "@messageoh/contracts/users";

/** Returns the friends whose name contains the text, ignoring case. */
export function searchContacts(friends: readonly Friend[], text: string): Friend[] {
  const searched = text.trim().toLocaleLowerCase();
  if (searched === "") return [];
  return friends.filter(({ name }) => name.toLocaleLowerCase().includes(searched));
}
