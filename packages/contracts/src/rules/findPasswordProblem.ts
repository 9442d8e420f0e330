import { PASSWORD_TOO_SHORT } from "./errorTexts.ts";
import { PASSWORD_MIN_CHARACTERS } from "./limits.ts";

/** Debounce of the check while a user types a password, in milliseconds. */
export const PASSWORD_CHECK_MS = 750;

/** Returns whether a password is too short. An empty one counts as missing instead. */
export function isPasswordTooShort(password: string): boolean {
  return password !== "" && [...password].length < PASSWORD_MIN_CHARACTERS;
}

/**
 * Resolves with the reason why a password is not allowed, as a text for the user, or `null`. An empty one counts as
 * missing instead. The first long password loads the list of common passwords; rejects if that fails.
 * @param name the username, which must not be the password
 */
export async function findPasswordProblem(password: string, name: string): Promise<string | null> {
  if (password === "") return null;
  if (isPasswordTooShort(password)) return PASSWORD_TOO_SHORT;
  const { passwordWeakness } = await import("./passwordWeakness.ts");
  return passwordWeakness(password, name);
}
