import type { Deps } from "./deps.ts";
import { nameKey, type UserRow } from "./user.model.ts";

export interface Attempt {
  name: string;
  password: string;
  /** Where it comes from. */
  address: string;
  /** Looks up whose password it should be; not asked when the name has failed too often. */
  findUser: () => Promise<UserRow | null>;
}

/**
 * The user whose password this is; null when it is wrong or there is no such user. An attempt counts as a failure of its
 * name before anything is looked at, and is forgotten when it was right; failures of an address put it last in the queue.
 */
export async function checkPassword(
  { passwords, limits }: Pick<Deps, "passwords" | "limits">,
  { name, password, address, findUser }: Attempt,
): Promise<UserRow | null> {
  const key = nameKey(name);
  await limits.failedLogins.take(key).catch((refusal) => {
    passwords.failed(address);
    throw refusal;
  });
  const user = await findUser();
  if (!(await passwords.matches(password, user?.password_hash, address))) return null;
  await limits.failedLogins.forget(key);
  return user;
}
