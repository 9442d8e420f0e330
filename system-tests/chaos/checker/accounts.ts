import { ApiError, createClient } from "@messageoh/contracts/client";
import { getUser } from "@messageoh/contracts/users";
import { headersOf, withRetries } from "../../client/account.ts";
import type { Person } from "../clients/person.ts";
import type { World } from "../clients/world.ts";
import type { CheckName, Checks } from "./checks.ts";
import { waitUntil } from "./waitUntil.ts";

/** Checks that ended sessions and replaced passwords are useless. */
export async function checkSessions({ url, ledger, people, departed }: World, boundMs: number): Promise<void> {
  const { checks } = ledger;
  for (const session of ledger.sessions) {
    const { userId, hasEnded } = session;
    if (!hasEnded) continue;
    const call = createClient({ baseUrl: `${url}/messageoh`, headers: () => headersOf(session) });
    const status = await withRetries(() =>
      call(getUser, { params: { user_id: userId } }).then(
        () => 200,
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) return 401;
          throw error;
        },
      ),
    );
    checks.verify("an ended session is refused", status === 401, () => `a call of ${userId}: ${status}`);
  }
  for (const person of people) {
    const { id, endedPhones, oldPasswords } = person;
    for (const { session, socket } of endedPhones) {
      if (!session.hasEnded) continue;
      const isClosed = await waitUntil(() => !socket.connected, boundMs);
      checks.verify("an ended session is refused", isClosed, () => `a connection of ${id} stays open`);
    }
    // The product refuses further attempts after a few wrong passwords.
    for (const password of oldPasswords.slice(0, WRONG_LOG_INS_MAX))
      await checkRefused(checks, "an old password is refused", person, password);
  }
  if (people.every(({ oldPasswords }) => oldPasswords.length === 0))
    checks.leaveOut("an old password is refused", "nobody who stays changed the password");
  const isGone = "a deleted account is gone";
  for (const person of departed) await checkRefused(checks, isGone, person, person.password);
  if (departed.length === 0) checks.leaveOut(isGone, "nobody deleted the account");
}

const WRONG_LOG_INS_MAX = 4;

/** Checks that a sign-in is refused; repeats it until the server answers it. */
async function checkRefused(checks: Checks, check: CheckName, person: Person, password: string): Promise<void> {
  const result = await withRetries(async () => {
    const response = await person.tryLogIn(password);
    if ("status" in response && response.status >= 500) throw new Error(`Status ${response.status}`);
    return response;
  });
  const isRefused = "status" in result && result.status === 401;
  checks.verify(check, isRefused, () => `${person.name}: ${JSON.stringify(result)}`);
}
