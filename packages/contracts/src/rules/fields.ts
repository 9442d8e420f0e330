import * as z from "zod/mini";
import { AVATAR_IDS, type AvatarId } from "./avatars.ts";
import { isBlank } from "./blank.ts";
import { PASSWORD_TOO_SHORT } from "./errorTexts.ts";
import {
  NAME_INPUT_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  PASSWORD_MAX_BYTES,
  PASSWORD_MIN_CHARACTERS,
  TEXT_MAX_CHARACTERS,
} from "./limits.ts";

/**
 * Returns the first check of every text: its length in code points, so that most emoji count as one character. It aborts,
 * because other checks and the normalisation of Unicode can take seconds for a long text.
 */
export const atMost = (characters: number, error?: string) => z.maxLength(characters, { error, abort: true });

/**
 * Schema of an id: 1 to 64 letters, digits, `_` and `-`, which are safe in paths, keys and headers. Only the service that
 * creates an id may interpret it.
 */
export const id = z
  .string("An id must be text")
  .check(atMost(64, "No such id"), z.minLength(1, "An id is required"), z.regex(/^[\w-]+$/, "No such id"));

/** Schema of an avatar that a client may choose. It is not in avatars.ts, so that pages show avatars without schemas. */
export const avatarId = z.enum(AVATAR_IDS as [AvatarId, ...AvatarId[]], "Please choose one of the avatars");

/** Rejects text that a database or a browser cannot store: NUL characters and lone surrogates. */
const storable = z.refine<string>(
  (value) => !value.includes("\0") && value.isWellFormed(),
  "Contains invalid characters",
);

/**
 * Characters that names must not contain, because two names could differ only in them and look the same: control and
 * format characters (including bidirectional controls), default-ignorable characters, line separators and blanks.
 */
const NOT_IN_NAMES =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;
const NAME_TOO_LONG = `Username must have at most ${NAME_MAX_CHARACTERS} characters`;
const MARKS_MAX = 3;
/** More combining marks on a letter than any writing system needs, or marks without a letter. */
const STACKED_MARKS = new RegExp(`^\\p{M}|\\p{M}{${MARKS_MAX + 1}}`, "u");

/**
 * Schema of a username at registration; trims it. Existing names may be older than these rules, so `logIn` accepts any
 * text.
 */
export const userName = z.string("Username must be text").check(
  atMost(NAME_INPUT_MAX_CHARACTERS, NAME_TOO_LONG),
  z.trim(),
  z.refine((name) => !isBlank(name), "Username is required"),
  z.maxLength(NAME_MAX_CHARACTERS, NAME_TOO_LONG),
  z.refine((name) => !NOT_IN_NAMES.test(name), "Username contains invalid characters"),
  z.refine((name) => !STACKED_MARKS.test(name.normalize("NFC")), "Username has too many accents on one letter"),
);

const PASSWORD_TOO_LONG = `Password must have at most ${PASSWORD_MAX_BYTES} bytes`;
/** Schema of a password at registration or at a change. */
export const password = z.string("Password must be text").check(
  // A character has at least one byte.
  atMost(PASSWORD_MAX_BYTES, PASSWORD_TOO_LONG),
  z.minLength(PASSWORD_MIN_CHARACTERS, PASSWORD_TOO_SHORT),
  z.refine((value) => new TextEncoder().encode(value).length <= PASSWORD_MAX_BYTES, PASSWORD_TOO_LONG),
  storable,
);

/** Schema of the text of a message. White space around the text is kept, because code may begin with an indent. */
export const messageText = z.string("A message must be text").check(
  atMost(TEXT_MAX_CHARACTERS, `A message has at most ${TEXT_MAX_CHARACTERS} characters`),
  z.refine((text) => !isBlank(text), "A message cannot be empty"),
  storable,
);

/** Schema of a text that is not sent yet. It may be blank or empty. */
export const draftText = z
  .string("A draft must be text")
  .check(atMost(TEXT_MAX_CHARACTERS, `A draft has at most ${TEXT_MAX_CHARACTERS} characters`), storable);

const NO_EMOJI = "A reaction must be one emoji";
/** Schema of one emoji. The longest one has 35 code units. */
export const emoji = z.string(NO_EMOJI).check(atMost(64, NO_EMOJI), z.regex(/^\p{RGI_Emoji}$/v, NO_EMOJI));

/** Schema of a search text; trims it. */
export const searchText = z.string().check(atMost(200), z.trim(), z.minLength(1), storable);

const NO_TIME = "Must be a time in ISO 8601 format";
/** Schema of a time: ISO 8601 with a time zone. */
export const isoTime = z.string(NO_TIME).check(atMost(64, NO_TIME), z.iso.datetime({ offset: true, error: NO_TIME }));

/**
 * Returns the schema of a list of at most `max` items in what browsers send. It counts the items before it checks them.
 */
export const shortList = <Item extends z.ZodMiniType>(item: Item, max: number, error: string) =>
  z.pipe(
    z.custom<z.input<Item>[]>((value) => Array.isArray(value) && value.length <= max, error),
    z.array(item).check(z.maxLength(max)),
  );

/** Schema of a message's number in its thread: 1, 2, 3, ... without gaps. 0 means "before the first message". */
export const seq = z.int().check(z.nonnegative());

/** Returns the schema of an integer in a query string, from `min` to `max`. */
export const queryNumber = (min: number, max: number) =>
  z.coerce
    .number()
    .check(
      z.int("Must be a whole number"),
      z.gte(min, `Must be at least ${min}`),
      z.lte(max, `Must be at most ${max}`),
    );
