import { ApiError, createClient } from "@messageoh/contracts/client";
import { getUser } from "@messageoh/contracts/users";
import { headersOf, type SignIn, withRetries } from "../../client/account.ts";
import type { World } from "../clients/world.ts";
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
  for (const { id, name, endedPhones, oldPasswords, tryLogIn } of people) {
    for (const { session, socket } of endedPhones) {
      if (!session.hasEnded) continue;
      const isClosed = await waitUntil(() => !socket.connected, boundMs);
      checks.verify("an ended session is refused", isClosed, () => `a connection of ${id} stays open`);
    }
    // The product refuses further attempts after a few wrong passwords.
    for (const password of oldPasswords.slice(0, WRONG_LOG_INS_MAX)) {
      const result = await responseOf(() => tryLogIn(password));
      const isRefused = "status" in result && result.status === 401;
      checks.verify("an old password is refused", isRefused, () => `${name}: ${JSON.stringify(result)}`);
    }
  }
  if (people.every(({ oldPasswords }) => oldPasswords.length === 0))
    checks.leaveOut("an old password is refused", "nobody who stays changed the password");
  const isGone = "a deleted account is gone";
  for (const { name, password, tryLogIn } of departed) {
    const result = await responseOf(() => tryLogIn(password));
    const isRefused = "status" in result && result.status === 401;
    checks.verify(isGone, isRefused, () => `${name}: ${JSON.stringify(result)}`);
  }
  if (departed.length === 0) checks.leaveOut(isGone, "nobody deleted the account");
}

const WRONG_LOG_INS_MAX = 4;

/** Repeats a sign-in until the server answers it. */
const responseOf = (logIn: () => Promise<SignIn>): Promise<SignIn> =>
  withRetries(async () => {
    const response = await logIn();
    if ("status" in response && response.status >= 500) throw new Error(`Status ${response.status}`);
    return response;
  });
