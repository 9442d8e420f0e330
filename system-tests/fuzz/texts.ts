import CORPUS from "./corpus.json" with { type: "json" };

/** Malformed ids, as text. */
export const TEXTS = [...CORPUS.texts, "x".repeat(10_000), "文".repeat(10_000), "..".repeat(5_000)];

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
