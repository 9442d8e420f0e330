import { PASSWORD_MIN_CHARACTERS } from "./limits.ts";

/** Debounce of the check while a user types a password, in milliseconds. */
export const PASSWORD_CHECK_MS = 750;

/** Returns whether a password is too short. An empty one counts as missing instead. */
export function isPasswordTooShort(password: string): boolean {
  return password !== "" && [...password].length < PASSWORD_MIN_CHARACTERS;
}

/**
 * Resolves with the reason why a password is easy to guess, as a text for the user, or `null`. The first call loads the
 * list of common passwords, and rejects if that fails.
 * @param name the username, which must not be the password
 */
export async function findPasswordWeakness(password: string, name: string): Promise<string | null> {
  if ([...password].length < PASSWORD_MIN_CHARACTERS) return null;
  const { passwordWeakness } = await import("./passwordWeakness.ts");
  return passwordWeakness(password, name);
}
