/** Returns false if a text certainly contains no web or mail address. */
export function mayContainLink(text: string): boolean {
  return /\.[^\s.]|:\/\/|@|mailto:|localhost/i.test(text);
}
