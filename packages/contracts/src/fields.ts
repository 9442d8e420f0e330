import * as z from "zod/mini";
import { PASSWORD_TOO_SHORT } from "./errorTexts.ts";
import { NAME_MAX_CHARACTERS, PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARACTERS, TEXT_MAX_CHARACTERS } from "./limits.ts";

/** Ids are opaque to everyone but the service that made them. */
export const id = z
  .string("An id must be a text")
  .check(z.minLength(1, "An id is missing"), z.maxLength(64, "No such id"));

/** Text a database and a browser can hold: no NUL, no half of a surrogate pair. */
const storable = z.refine<string>(
  (value) => !value.includes("\0") && value.isWellFormed(),
  "Contains invalid characters",
);

/** Length as people count it: code points, so that an emoji is one character. */
const characters = (text: string) => (text.length <= 1 ? text.length : [...text].length);

export const userName = z.string("Username must be a text").check(
  z.trim(),
  // Characters that nobody sees are no name.
  z.refine((name) => /[^\p{Default_Ignorable_Code_Point}\s]/u.test(name), "Username is required"),
  z.refine((name) => characters(name) <= NAME_MAX_CHARACTERS, `Username has at most ${NAME_MAX_CHARACTERS} characters`),
  z.refine((name) => !/\p{Cc}/u.test(name) && name.isWellFormed(), "Username contains invalid characters"),
);

export const password = z.string("Password must be a text").check(
  z.refine((value) => characters(value) >= PASSWORD_MIN_CHARACTERS, PASSWORD_TOO_SHORT),
  z.refine(
    (value) => new TextEncoder().encode(value).length <= PASSWORD_MAX_BYTES,
    `Password has at most ${PASSWORD_MAX_BYTES} bytes`,
  ),
  storable,
);

export const messageText = z.string("A message must be a text").check(
  z.trim(),
  z.minLength(1, "A message cannot be empty"),
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

/** A step of a trace, as W3C Trace Context names it. Only servers that record traces ask for it. */
export const traceparent = z
  .string()
  .check(z.regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/, "traceparent must be one of W3C Trace Context"));
