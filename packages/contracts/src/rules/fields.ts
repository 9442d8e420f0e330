import * as v from "valibot";
import { AVATAR_IDS } from "./avatars.ts";
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
 * Returns the checks of a text's length in code points, so that most emoji count as one character. Put them before all
 * other checks and the normalisation of Unicode, which can take seconds for a long text.
 */
export const atMost = (characters: number, error?: string) =>
  [
    // A code point is at most two units. Counting code points takes time too.
    v.maxLength<string, number, string | undefined>(2 * characters, error),
    v.check<string, string | undefined>((text) => text.length <= characters || [...text].length <= characters, error),
  ] as const;

/** Schema of a safe integer: JavaScript represents it exactly. */
export const int = v.pipe(v.number(), v.safeInteger());

/**
 * Schema of an id: 1 to 64 letters, digits, `_` and `-`, which are safe in paths, keys and headers. Only the service
 * that creates an id may interpret it.
 */
export const id = v.pipe(
  v.string("An id must be text"),
  ...atMost(64, "No such id"),
  v.minLength(1, "An id is required"),
  v.regex(/^[\w-]+$/, "No such id"),
);

/**
 * Schema of an avatar that a client may choose. It is not in avatars.ts, so that pages show avatars without schemas.
 */
export const avatarId = v.picklist(AVATAR_IDS, "Please choose one of the avatars");

/** Rejects text that a database or a browser cannot store: NUL characters and lone surrogates. */
const storable = v.check<string, string>(
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
export const userName = v.pipe(
  v.string("Username must be text"),
  ...atMost(NAME_INPUT_MAX_CHARACTERS, NAME_TOO_LONG),
  v.trim(),
  v.check((name) => !isBlank(name), "Username is required"),
  ...atMost(NAME_MAX_CHARACTERS, NAME_TOO_LONG),
  v.check((name) => !NOT_IN_NAMES.test(name), "Username contains invalid characters"),
  v.check((name) => !STACKED_MARKS.test(name.normalize("NFC")), "Username has too many accents on one letter"),
);

const PASSWORD_TOO_LONG = `Password must have at most ${PASSWORD_MAX_BYTES} bytes`;
/** Schema of a password at registration or at a change. */
export const password = v.pipe(
  v.string("Password must be text"),
  // A character has at least one byte.
  ...atMost(PASSWORD_MAX_BYTES, PASSWORD_TOO_LONG),
  v.check((value) => [...value].length >= PASSWORD_MIN_CHARACTERS, PASSWORD_TOO_SHORT),
  v.maxBytes(PASSWORD_MAX_BYTES, PASSWORD_TOO_LONG),
  storable,
);

/** Schema of the text of a message. White space around the text is kept, because code may begin with an indent. */
export const messageText = v.pipe(
  v.string("A message must be text"),
  ...atMost(TEXT_MAX_CHARACTERS, `A message has at most ${TEXT_MAX_CHARACTERS} characters`),
  v.check((text) => !isBlank(text), "A message cannot be empty"),
  storable,
);

/** Schema of a text that is not sent yet. It may be blank or empty. */
export const draftText = v.pipe(
  v.string("A draft must be text"),
  ...atMost(TEXT_MAX_CHARACTERS, `A draft has at most ${TEXT_MAX_CHARACTERS} characters`),
  storable,
);

const NO_EMOJI = "A reaction must be one emoji";
/** Schema of one emoji. The longest one has 35 code units. */
export const emoji = v.pipe(v.string(NO_EMOJI), ...atMost(64, NO_EMOJI), v.regex(/^\p{RGI_Emoji}$/v, NO_EMOJI));

/** Schema of a search text; trims it. */
export const searchText = v.pipe(v.string(), ...atMost(200), v.trim(), v.minLength(1), storable);

const NO_TIME = "Must be a time in ISO 8601 format";
/** Schema of a time: ISO 8601 with a time zone. */
export const isoTime = v.pipe(
  v.string(NO_TIME),
  ...atMost(64, NO_TIME),
  v.isoTimestamp(NO_TIME),
  v.check((time) => !Number.isNaN(Date.parse(time)), NO_TIME),
);

/**
 * Returns the schema of a list of at most `max` items, for payloads of browsers. It counts the items before it checks
 * them.
 */
export const shortList = <const Item extends v.GenericSchema>(item: Item, max: number, error: string) =>
  v.pipe(v.array(v.custom<v.InferInput<Item>>(() => true)), v.maxLength(max, error), v.array(item));

/** Schema of a message's number in its thread: 1, 2, 3, ... without gaps. 0 means "before the first message". */
export const seq = v.pipe(int, v.minValue(0));

const NO_NUMBER = "Must be a whole number";
/** Returns the schema of a whole number from `min` to `max`, or its text, as in a query string or a setting. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), ...atMost(20))]),
    v.toNumber(NO_NUMBER),
    v.integer(NO_NUMBER),
    v.minValue(min, `Must be at least ${min}`),
    v.maxValue(max, `Must be at most ${max}`),
  );
