import { PASSWORD_MIN_CHARACTERS } from "./limits.ts";

/** Debounce of checks of a password while it is typed. */
export const PASSWORD_CHECK_MS = 750;

/** Returns why a password is easy to guess, or `null`. Loads the list of common passwords when it is first needed. */
export async function findPasswordWeakness(password: string, name: string): Promise<string | null> {
  if ([...password].length < PASSWORD_MIN_CHARACTERS) return null;
  const { passwordWeakness } = await import("./passwordWeakness.ts");
  return passwordWeakness(password, name);
}
