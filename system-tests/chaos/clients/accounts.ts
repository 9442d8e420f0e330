import { randomBytes } from "node:crypto";
import { addFriend } from "@messageoh/contracts/users";
import { logIn, newName, type Origin, pause, register, type SignIn, withRetries } from "../../client/account.ts";
import type { Ledger, Session } from "../checker/ledger.ts";
import { observedCall } from "./observedCall.ts";

let addresses = 0;

/** Returns another address of the range for tests of network devices. The gateway trusts the header that carries it. */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

export const newPassword = (): string => `chaos password ${randomBytes(5).toString("hex")}`;

const RETRY_MS = 500;

/** Repeats a sign-in until the server responds, checks that it is accepted, and records the session. */
export async function signIn(
  ledger: Ledger,
  { name, address }: { name: string; address: string },
  attempt: () => Promise<SignIn>,
): Promise<Session> {
  for (;;) {
    const result = await attempt().catch(() => ({ status: 0 }));
    const isRefused = "status" in result && result.status >= 400 && result.status < 500 && result.status !== 429;
    if (isRefused || "id" in result) {
      ledger.checks.verify("a valid sign-in is accepted", !isRefused, () => `${name}: ${JSON.stringify(result)}`);
    }
    if ("id" in result) return ledger.begin(result.id, result.cookie, address);
    await pause(RETRY_MS);
  }
}

/** Registers a user with a first session; retries while the server does not respond. */
export function signUp(ledger: Ledger, origin: Required<Origin>, name: string, password: string): Promise<Session> {
  return signIn(ledger, { name, address: origin.address }, async () => {
    const registered = await register(origin, name, password);
    // If the response was lost, the name is taken at the second attempt and the password is valid.
    return "status" in registered && registered.status === 409 ? logIn(origin, name, password) : registered;
  });
}

/** Registers two users, each with an address of its own, and makes them friends. */
export async function signUpFriends(url: string, ledger: Ledger, label: string) {
  const register = () => signUp(ledger, { url, address: newAddress() }, newName(label), newPassword());
  const [one, other] = await Promise.all([register(), register()]);
  const body = { user_id: one.userId, friend_id: other.userId };
  const { thread_id: threadId } = await withRetries(() => observedCall(url, ledger, () => one)(addFriend, { body }));
  ledger.addThread(threadId, [one.userId, other.userId]);
  return { sessions: [one, other] as const, threadId };
}
