import type { AvatarId } from "@messageoh/contracts/avatars";
import { userName } from "@messageoh/contracts/fields";
import { NAME_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from "@messageoh/contracts/limits";

/** In the order of the form: the first bad one gets the focus. */
export const FIELDS = ["name", "password", "avatar"] as const;
export type Field = (typeof FIELDS)[number];

export interface LoginValues {
  name: string;
  password: string;
}

export interface RegisterValues extends LoginValues {
  avatar: AvatarId | null;
}

/** The required fields that hold nothing. A name of spaces is no name; a password may hold any. */
export function missingFields(values: Partial<RegisterValues>): Field[] {
  return FIELDS.filter((field) => {
    if (!(field in values)) return false;
    const value = values[field];
    return field === "name" ? !value?.trim() : !value;
  });
}

/** An empty password is missing, not short. */
export function isPasswordTooShort(password: string): boolean {
  return password !== "" && [...password].length < PASSWORD_MIN_CHARACTERS;
}

/** Why a name cannot be chosen, or `null`. An empty name is missing, not wrong. */
export function nameError(name: string): string | null {
  if (name.trim() === "") return null;
  return userName.safeParse(name).error?.issues[0]?.message ?? null;
}

/** What a name's field takes of a text: as many characters as a name may have, an emoji being one. */
export function limitName(text: string): string {
  const characters = [...text];
  return characters.length <= NAME_MAX_CHARACTERS ? text : characters.slice(0, NAME_MAX_CHARACTERS).join("");
}
