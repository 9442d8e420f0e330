/** A character that takes ink: no white space, format or default-ignorable character, and not the blank of Braille. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns whether a text has no visible character, so that it would look empty. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);
