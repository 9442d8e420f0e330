import { userName } from "@messageoh/contracts/fields";

/** Returns why a name is not allowed, or `null`. An empty one counts as missing instead. */
export function nameError(name: string): string | null {
  if (name.trim() === "") return null;
  return userName.safeParse(name).error?.issues[0]?.message ?? null;
}
