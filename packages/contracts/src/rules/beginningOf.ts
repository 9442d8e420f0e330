/** Returns the first characters of a text, the last of them whole. */
export const beginningOf = (text: string, characters: number): string =>
  [...text.slice(0, 2 * characters)].slice(0, characters).join("");
