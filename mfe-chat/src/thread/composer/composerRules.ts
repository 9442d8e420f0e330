import { isBlank } from "@messageoh/contracts/blank";
import { TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";

const COUNT_FROM = TEXT_MAX_CHARACTERS - 200;

interface ComposerState {
  /** The text that would be sent. */
  message: string;
  canSend: boolean;
  /** Error text if it cannot be sent; an empty message has none. */
  error: string | null;
  /** Characters used, once the limit is near. */
  count: string | null;
}

/**
 * Returns how the text in the composer may be sent.
 * @param mayBeEmpty the message has files, so it needs no text
 */
export function composerState(text: string, mayBeEmpty = false): ComposerState {
  // Keep leading white space, which may be the indentation of code.
  const message = isBlank(text) ? "" : text.trimEnd();
  if (message.length <= COUNT_FROM) return { message, canSend: message !== "" || mayBeEmpty, error: null, count: null };
  // The limit counts an emoji as one character; a text never has more characters than UTF-16 units.
  const characters = [...message].length;
  const isTooLong = characters > TEXT_MAX_CHARACTERS;
  // Formatting the first number takes 20 ms, so the page does not do it while it loads.
  const limit = TEXT_MAX_CHARACTERS.toLocaleString("en");
  return {
    message,
    canSend: !isTooLong,
    error: isTooLong ? `A message has at most ${limit} characters` : null,
    count: characters > COUNT_FROM ? `${characters.toLocaleString("en")} / ${limit}` : null,
  };
}
