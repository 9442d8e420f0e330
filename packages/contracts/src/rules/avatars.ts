// The 18 avatars, in the groups and the order of the picker, each with its English name.
const FIRST_GROUP = {
  "dog-id": "Dog",
  "cat-id": "Cat",
  "bear-id": "Bear",
  "fish-id": "Fish",
  "fox-id": "Fox",
  "giraffe-id": "Giraffe",
  "panda-id": "Panda",
  "rabbit-id": "Rabbit",
} as const;

const SECOND_GROUP = {
  "weasel-id": "Weasel",
  "seal-id": "Seal",
  "deer2-id": "Second deer",
  "koala-id": "Koala",
  "rabbit2-id": "Second rabbit",
  "meerkat-id": "Meerkat",
  "fox2-id": "Second fox",
  "deer-id": "Deer",
  "snake-id": "Snake",
  "chicken-id": "Chicken",
} as const;

export type AvatarId = keyof typeof FIRST_GROUP | keyof typeof SECOND_GROUP;

/** Avatar ids by group, in the order of the picker. */
export const AVATAR_GROUPS: readonly (readonly AvatarId[])[] = [
  Object.keys(FIRST_GROUP) as AvatarId[],
  Object.keys(SECOND_GROUP) as AvatarId[],
];

/** All 18 avatar ids in the order of the picker. */
export const AVATAR_IDS: readonly AvatarId[] = AVATAR_GROUPS.flat();

/** Returns the name of an avatar for screen readers, or "Animal" for an unknown id. */
export function avatarName(id: string): string {
  return ({ ...FIRST_GROUP, ...SECOND_GROUP } as Record<string, string>)[id] ?? "Animal";
}

/** Avatar and name of a user who has deleted the account. No user can choose this avatar. */
export const DELETED_AVATAR_ID = "deleted";
export const DELETED_NAME = "Deleted account";

/** Avatar and name of a person whom the user has blocked without being able to see them. */
export const HIDDEN_AVATAR_ID = "hidden";
export const HIDDEN_NAME = "Hidden account";

/** Returns whether a user has deleted the account. */
export const isDeleted = ({ avatar_id }: { avatar_id: string }): boolean => avatar_id === DELETED_AVATAR_ID;
