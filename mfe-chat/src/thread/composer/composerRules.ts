import { TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";

const COUNT_FROM = TEXT_MAX_CHARACTERS - 200;
const LIMIT = TEXT_MAX_CHARACTERS.toLocaleString("en");

export interface ComposerState {
  /** What would be sent. */
  message: string;
  canSend: boolean;
  /** Why it cannot be sent; an empty message needs no reason. */
  error: string | null;
  /** How much of the room is used, once it becomes scarce. */
  count: string | null;
}

/** What may become of the text that stands in the composer. */
export function composerState(text: string): ComposerState {
  // White space before the text stays: code keeps its first indent.
  const message = text.trim() === "" ? "" : text.trimEnd();
  if (message.length <= COUNT_FROM) return { message, canSend: message !== "", error: null, count: null };
  // People count an emoji as one character; a text is only as long as its UTF-16 at the most.
  const characters = [...message].length;
  const isTooLong = characters > TEXT_MAX_CHARACTERS;
  return {
    message,
    canSend: !isTooLong,
    error: isTooLong ? `A message has at most ${LIMIT} characters` : null,
    count: characters > COUNT_FROM ? `${characters.toLocaleString("en")} / ${LIMIT}` : null,
  };
}
