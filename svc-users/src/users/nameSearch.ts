import { UNLIMITED } from "@messageoh/service-kit/mongo";
import { nameKey, type UserModel, type UserRow } from "./user.model.ts";

/** Most names that a search finds by their beginning, and most that it finds by another part. */
const MATCHES_MAX = 200;
/** Characters of a key that searches compare. Only a name of ligatures has a longer key. */
const COMPARED_MAX = 60;
/** No name contains this character, and none is greater. */
const LAST_CHARACTER = "\u{10FFFF}";

/**
 * Returns a name's key from its second character on, from its third, and so on. A text that the name contains is the
 * beginning of the key or of one of these parts, so that an index finds it.
 */
export function nameParts(name: string): string[] {
  const characters = [...nameKey(name)];
  return characters
    .slice(1, COMPARED_MAX)
    .map((_, index) => characters.slice(index + 1, index + 1 + COMPARED_MAX).join(""));
}

/**
 * Returns users whose name contains a text, in the order of names. If more than {@link MATCHES_MAX} names begin with it
 * or contain it elsewhere, some are left out, but never a name that equals it.
 * @param among filter of the users to search
 */
export async function searchNames(users: UserModel, among: object, text: string): Promise<UserRow[]> {
  const first = [...nameKey(text)].slice(0, COMPARED_MAX).join("");
  const begins = { $gte: first, $lt: first + LAST_CHARACTER };
  const find = (matches: object) =>
    users.find({ ...among, ...matches }, { name: 1, name_key: 1, avatar_id: 1 }).limit(MATCHES_MAX);
  const found = await Promise.all([
    find({ name_key: begins }).sort({ name_key: 1 }).hint({ name_key: 1 }).lean<UserRow[]>(),
    find({ name_parts: { $elemMatch: begins } })
      .hint({ name_parts: 1 })
      .lean<UserRow[]>(),
  ]);
  const rows = [...new Map(found.flat().map((row) => [row._id, row])).values()];
  return rows.sort((a, b) => (a.name_key < b.name_key ? -1 : 1));
}

/**
 * Adds the parts of names that the previous release stored. Until then, searches find these names by their beginning.
 */
export async function addNameParts(users: UserModel): Promise<void> {
  const partAt = { $substrCP: ["$name_key", "$$this", COMPARED_MAX] };
  const starts = { $range: [1, { $min: [{ $strLenCP: "$name_key" }, COMPARED_MAX] }] };
  const parts = { $cond: ["$deleted_at", [], { $map: { input: starts, in: partAt } }] };
  await users.collection.updateMany({ name_parts: null } as object, [{ $set: { name_parts: parts } }], {
    hint: { name_parts: 1 },
    ...UNLIMITED,
  } as object);
}
