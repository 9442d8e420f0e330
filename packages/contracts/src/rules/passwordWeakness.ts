import passwords from "@zxcvbn-ts/language-common/src/passwords.json" with { type: "json" };
import { PASSWORD_MIN_CHARACTERS } from "./limits.ts";

export const PASSWORD_TOO_COMMON = "This password is too common. Please choose one that is harder to guess";
export const PASSWORD_IS_NAME = "Your password must not be your username";

/** Shorter names are contained in passwords by chance. */
const NAME_MIN_CHARACTERS = 3;

/** Number of passwords that count as common. Rate limits protect the rarer ones. */
const COMMON_RANKS = 20_000;

/** The most frequent passwords of known breaches, in lower case. The list is ordered by frequency. */
const common = new Set(
  (passwords as string[]).slice(0, COMMON_RANKS).filter((password) => password.length >= PASSWORD_MIN_CHARACTERS),
);

/**
 * Returns the reason why a password is easy to guess, as a text for the user, or `null`. A password is easy to guess if
 * known breaches contain it (in any case, with or without symbols at the end), if it consists of one or two different
 * characters, or if it is the username with only digits and symbols added. In a browser use `findPasswordProblem`,
 * which loads the large list on demand.
 * @param name the username
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
