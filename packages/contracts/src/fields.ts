import * as z from "zod/mini";
import { PASSWORD_TOO_SHORT } from "./errorTexts.ts";
import { NAME_MAX_CHARACTERS, PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARACTERS, TEXT_MAX_CHARACTERS } from "./limits.ts";

/**
 * An id is opaque to every part but the service that created it. Its characters are safe in a path, a key and a header.
 */
export const id = z
  .string("An id must be a text")
  .check(z.minLength(1, "An id is missing"), z.regex(/^[\w-]{1,64}$/, "No such id"));

/** Text a database and a browser can hold: no NUL, no half of a surrogate pair. */
const storable = z.refine<string>(
  (value) => !value.includes("\0") && value.isWellFormed(),
  "Contains invalid characters",
);

/** Length as people count it: code points, so that an emoji is one character. */
const characters = (text: string) => (text.length <= 1 ? text.length : [...text].length);

/**
 * Characters that a name may not contain: control and format characters (which include the bidirectional controls),
 * default-ignorable ones, line separators and blanks. Two names could differ in them and look the same.
 */
const NOT_IN_NAMES =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;
const MARKS_MAX = 3;
/** Combining marks that stack higher than any writing system needs, or that have no letter to stand on. */
const STACKED_MARKS = new RegExp(`^\\p{M}|\\p{M}{${MARKS_MAX + 1}}`, "u");

/** A name that somebody chooses. A name that exists may be older than these rules: `logIn` accepts any text. */
export const userName = z.string("Username must be a text").check(
  z.trim(),
  z.refine((name) => /[^\p{Default_Ignorable_Code_Point}\s]/u.test(name), "Username is required"),
  z.refine((name) => characters(name) <= NAME_MAX_CHARACTERS, `Username has at most ${NAME_MAX_CHARACTERS} characters`),
  z.refine((name) => !NOT_IN_NAMES.test(name), "Username contains invalid characters"),
  z.refine((name) => !STACKED_MARKS.test(name.normalize("NFC")), "Username has too many accents on one letter"),
);

export const password = z.string("Password must be a text").check(
  z.refine((value) => characters(value) >= PASSWORD_MIN_CHARACTERS, PASSWORD_TOO_SHORT),
  z.refine(
    (value) => new TextEncoder().encode(value).length <= PASSWORD_MAX_BYTES,
    `Password has at most ${PASSWORD_MAX_BYTES} bytes`,
  ),
  storable,
);

/** White space around a text is part of it: code keeps its first indent. */
export const messageText = z.string("A message must be a text").check(
  z.refine((text) => text.trim() !== "", "A message cannot be empty"),
  z.refine(
    (text) => text.length <= TEXT_MAX_CHARACTERS || characters(text) <= TEXT_MAX_CHARACTERS,
    `A message has at most ${TEXT_MAX_CHARACTERS} characters`,
  ),
  storable,
);

export const searchText = z.string().check(z.trim(), z.minLength(1), z.maxLength(200), storable);

/** A time on the wire: ISO 8601 with a zone. */
export const isoTime = z.iso.datetime({ offset: true, error: "Not a time in ISO format" });

/** A message's number in its thread: 1, 2, 3, ... without gaps. 0 stands for "before the first". */
export const seq = z.int().check(z.nonnegative());

/** A whole number in a query string, between `min` and `max`. */
export const queryNumber = (min: number, max: number) =>
  z.coerce.number().check(z.int("Not a whole number"), z.gte(min, `At least ${min}`), z.lte(max, `At most ${max}`));
