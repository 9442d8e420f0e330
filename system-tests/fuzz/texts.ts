/** Malformed ids, as text. */
export const TEXTS = [
  "",
  " ",
  ".",
  "..",
  "../../tools",
  "a/b",
  "a\\b",
  "%2e%2e",
  "%2e%2e%2f",
  "..%2f..%2fusers",
  "%",
  "%zz",
  "%c0%ae%c0%ae",
  "%ff%fe",
  "%00",
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00b",
  "\udfff\ud800",
  "\u202eabc",
  "\u200b",
  "\ufeff",
  "\uffff",
  "ü",
  "文字",
  "👩‍👩‍👧",
  "a b",
  "a\r\nb",
  "a\tb",
  ...["a.b", "a:b", "a,b", "a;b", "a?b", "a#b", "a&b=c", "*", "$where", "'\"", "__proto__", "constructor", "toString"],
  ...["null", "undefined", "-", "0", "f".repeat(65), "x".repeat(10_000), "文".repeat(10_000), "..".repeat(5_000)],
];

/** Percent-encodes a text; a lone surrogate becomes three bytes. */
export function encode(text: string): string {
  return text.replace(/[^\w-]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    const bytes = isHalf ? [0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)] : Buffer.from(character);
    return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  });
}

/** Encodes only characters that a request line must not contain. */
export const escapeRest = (text: string): string => text.replace(/[^\x21-\x7e]+/gu, encode);
