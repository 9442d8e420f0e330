import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { PASSWORD_MIN_CHARACTERS } from "./limits.ts";

export const PASSWORD_TOO_COMMON = "This password is too common. Please choose one that is harder to guess";
export const PASSWORD_IS_NAME = "Your password must not be your username";

/** Shorter names occur in passwords by chance. */
const NAME_MIN_CHARACTERS = 3;

/** Ranks that count as common. Rarer words of the list are not worth a refusal: guesses are limited. */
const COMMON_RANKS = 20_000;

/** The most used passwords of known breaches, in lower case. The list is ordered by how often they were used. */
const common = new Set(
  (passwords as string[]).slice(0, COMMON_RANKS).filter((password) => password.length >= PASSWORD_MIN_CHARACTERS),
);

/**
 * Returns why a password is easy to guess, as its owner reads it, or `null`. It is found in breaches, also with another
 * case or symbols behind it; it repeats one or two characters; or it is the username with nothing but digits and symbols.
 * The list is large: browsers import this module when it is needed.
 */
export function passwordWeakness(password: string, name: string): string | null {
  const plain = fold(password);
  const username = fold(name.trim());
  const rest = plain.replaceAll(username, "");
  const isName = [...username].length >= NAME_MIN_CHARACTERS && rest !== plain && !/\p{L}/u.test(rest);
  if (isName || plain === username) return PASSWORD_IS_NAME;
  const withoutSymbols = plain.replace(/[^\p{L}\p{N}]+$/u, "");
  const isCommon = common.has(plain) || common.has(withoutSymbols) || new Set(plain).size <= 2;
  return isCommon ? PASSWORD_TOO_COMMON : null;
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase();
