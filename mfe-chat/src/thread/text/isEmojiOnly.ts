const EMOJI =
  /\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})*(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})*)*|\p{Regional_Indicator}{2}/gu;
const MAX_LARGE = 6;

/** Returns whether a text consists of a few emoji only, which are shown larger. */
export function isEmojiOnly(text: string): boolean {
  const emoji = text.match(EMOJI);
  return emoji !== null && emoji.length <= MAX_LARGE && text.replace(EMOJI, "").trim() === "";
}
