/** Control, format (among them bidirectional) and private characters, lone surrogates, separators of lines. */
export const DECEIVING_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
