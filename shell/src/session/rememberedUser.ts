import type { User } from "@messageoh/contracts/users";

const KEY = "messageoh:user";
/** IndexedDB database for what pages of remotes store of the user. */
export const DEVICE_DATABASE = "messageoh";

/** Remembers the user on this device, so that the app opens while the server does not respond. */
export function rememberUser({ id, name, avatar_id }: User): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ id, name, avatar_id }));
  } catch (error) {
    console.warn("The user could not be stored", error);
  }
}

/** Returns the remembered user with this id, or `null`. */
export function rememberedUser(id: string): User | null {
  try {
    const user = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<User> | null;
    return user?.id === id && typeof user.name === "string" && typeof user.avatar_id === "string"
      ? { id, name: user.name, avatar_id: user.avatar_id }
      : null;
  } catch {
    return null;
  }
}

/** Removes everything that this device stores of the user after the end of the session. */
export function forgetUser(): void {
  try {
    localStorage.removeItem(KEY);
    // A page that still writes delays the deletion until it has closed the database.
    indexedDB.deleteDatabase(DEVICE_DATABASE);
  } catch (error) {
    // Without storage there is nothing to remove.
    console.warn("The user could not be removed from this device", error);
  }
}
