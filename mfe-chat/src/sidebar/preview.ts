const PREVIEW_MAX_WORDS = 9;

/** Returns the first words of a message, with '...' if it is cut. */
export function preview(text: string): string {
  const words = text.trim().split(/\s+/, PREVIEW_MAX_WORDS + 1);
  const first = words.slice(0, PREVIEW_MAX_WORDS).join(" ");
  return words.length > PREVIEW_MAX_WORDS ? `${first}...` : first;
}
