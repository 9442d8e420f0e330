import { tooMany } from "@messageoh/service-kit/errors";
import { limited } from "@messageoh/service-kit/rateLimit";
import { nameParts } from "./nameSearch.ts";
import { nameSkeletons } from "./nameSkeletons.ts";
import { type HeldName, nameKey, type UserModel, type UserRow } from "./user.model.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Days for which a former name is kept from others, so that nobody can pose as its former owner. */
const HELD_DAYS = 30;
/** Former names that one user can hold. It limits the changes of a name to as many in {@link HELD_DAYS} days. */
export const HELD_MAX = 3;

/** Returns the former names of a user after giving up the current one. */
export function holdName(row: UserRow, now = Date.now()): HeldName[] {
  // Those that an older account has keep the name from others anyway.
  const skeletons = nameSkeletons(row.name).filter((skeleton) => row.name_skeletons?.includes(skeleton));
  return [...heldAt(row, now), { skeletons, until: new Date(now + HELD_DAYS * DAY_MS) }];
}

/**
 * Returns all skeletons that a user owns: those of the name and of former names. The unique index keeps them from
 * others.
 */
const ownSkeletons = (name: string, held: readonly HeldName[]): string[] => [
  ...new Set([...nameSkeletons(name), ...held.flatMap(({ skeletons }) => skeletons)]),
];

/** Gives up former names that look like this name and whose time is over. */
export async function releaseNames(users: UserModel, name: string, now = Date.now()): Promise<void> {
  const filter = { name_skeletons: { $in: nameSkeletons(name) }, "held_names.until": { $lte: new Date(now) } };
  for (const row of await users.find(filter).lean<UserRow[]>()) {
    const held_names = heldAt(row, now);
    const name_skeletons = row.deleted_at
      ? held_names.flatMap(({ skeletons }) => skeletons)
      : ownSkeletons(row.name, held_names);
    const set = { ...(held_names.length > 0 && { held_names }), ...(name_skeletons.length > 0 && { name_skeletons }) };
    const unset = {
      ...(held_names.length === 0 && { held_names: 1 }),
      // The index is sparse, and an empty array would be an entry.
      ...(name_skeletons.length === 0 && { name_skeletons: 1 }),
    };
    // The filter keeps a change that happened in the meantime.
    await users.updateOne({ _id: row._id, name: row.name, held_names: row.held_names }, { $set: set, $unset: unset });
  }
}

/**
 * Returns the fields of a user with a new name. The former name stays with the user for {@link HELD_DAYS} days. Throws
 * 429 if the user holds {@link HELD_MAX} former names.
 */
export function renamed(row: UserRow, name: string, now = Date.now()) {
  const held = heldAt(row, now);
  if (held.length >= HELD_MAX) {
    limited.inc({ limit: "name_changes" });
    const next = Math.min(...held.map(({ until }) => until.getTime()));
    const days = Math.ceil((next - now) / DAY_MS);
    throw tooMany(
      `You have changed your name too often. Please try again in ${days === 1 ? "a day" : `${days} days`}`,
      Math.ceil((next - now) / 1_000),
    );
  }
  const held_names = holdName(row, now);
  return {
    name,
    name_key: nameKey(name),
    name_parts: nameParts(name),
    name_skeletons: ownSkeletons(name, held_names),
    held_names,
  };
}

const heldAt = ({ held_names = [] }: Pick<UserRow, "held_names">, now: number) =>
  held_names.filter(({ until }) => until.getTime() > now);
