import { userName } from "@messageoh/contracts/fields";
import { safeParse } from "@messageoh/contracts/parse";
import { register, type User } from "@messageoh/contracts/users";
import { call } from "../api.ts";
import type { RegisterValues } from "../form/validation.ts";

// A chunk of its own, because its schemas and their library are two thirds of the page's code.

/** Returns why a name is not allowed, or `null`. An empty one counts as missing instead. */
export function nameError(name: string): string | null {
  if (name.trim() === "") return null;
  return safeParse(userName, name).error?.message ?? null;
}

/**
 * Registers an account; the response sets the session cookie. It contains only the id, so the other fields are the
 * given ones.
 */
export async function createAccount({ name, password, avatar }: RegisterValues, signal: AbortSignal): Promise<User> {
  if (!avatar) throw new Error("A registration needs an avatar");
  const body = { name: name.trim(), password, avatar_id: avatar };
  const { id } = await call(register, { body, signal });
  return { id, name: body.name, avatar_id: avatar };
}
