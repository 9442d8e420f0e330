import type { AvatarId } from "@messageoh/contracts/avatars";

/** In form order: the first invalid field gets the focus. */
const FIELDS = ["name", "password", "avatar"] as const;
export type Field = (typeof FIELDS)[number];

export interface LoginValues {
  name: string;
  password: string;
}

export interface RegisterValues extends LoginValues {
  avatar: AvatarId | null;
}

/** Returns the required fields that are empty. Spaces alone are an empty name, but a valid password. */
export function missingFields(values: Partial<RegisterValues>): Field[] {
  return FIELDS.filter((field) => {
    if (!(field in values)) return false;
    const value = values[field];
    return field === "name" ? !value?.trim() : !value;
  });
}
