import { FILE_NAME_MAX_CHARACTERS } from "@messageoh/contracts/attachments";
import { DECEIVING_CHARACTERS } from "../media/deceivingCharacters.ts";

const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * Returns the name of a file as all users see it: without path parts and characters that could deceive a reader, and
 * with at most {@link FILE_NAME_MAX_CHARACTERS} characters. The extension is kept.
 */
export function cleanName(given: string): string {
  const name = (given.normalize("NFC").split(/[/\\]/).at(-1) ?? "")
    .replace(DECEIVING_CHARACTERS, "")
    .replace(/\s+/g, " ")
    .trim();
  if (/^\.*$/.test(name)) return "file";
  const characters = Array.from(name);
  if (characters.length <= FILE_NAME_MAX_CHARACTERS) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? "";
  return characters.slice(0, FILE_NAME_MAX_CHARACTERS - Array.from(extension).length).join("") + extension;
}
