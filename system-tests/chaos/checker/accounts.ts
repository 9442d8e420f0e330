import { ApiError, createClient } from "@messageoh/contracts/client";
import { getUser, listFriends } from "@messageoh/contracts/users";
import { withRetries } from "../../client/account.ts";
import { logIn } from "../clients/accounts.ts";
import type { World } from "../clients/world.ts";
import { waitUntil } from "./waitUntil.ts";

/** Checks that ended sessions and replaced passwords are useless. */
export async function checkSessions({ url, ledger, people }: World, boundMs: number): Promise<void> {
  const { checks } = ledger;
  for (const { userId, cookie, hasEnded } of ledger.sessions) {
    if (!hasEnded) continue;
    const call = createClient({ baseUrl: `${url}/messageoh`, headers: () => ({ cookie }) });
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
  for (const { id, name, endedPhones, oldPasswords } of people) {
    for (const { session, socket } of endedPhones) {
      if (!session.hasEnded) continue;
      const isClosed = await waitUntil(() => !socket.connected, boundMs);
      checks.verify("an ended session is refused", isClosed, () => `a connection of ${id} stays open`);
    }
    for (const password of oldPasswords) {
      const result = await withRetries(async () => {
        const response = await logIn(url, name, password);
        if ("status" in response && response.status >= 500) throw new Error(`Status ${response.status}`);
        return response;
      });
      const isRefused = "status" in result && result.status === 401;
      checks.verify("an old password is refused", isRefused, () => `${name}: ${JSON.stringify(result)}`);
    }
  }
}

/** Checks the friends of each user: at the server and in each tab, on both sides, and no others. */
export async function checkFriendships({ ledger, people }: World, boundMs: number): Promise<void> {
  const name = "both sides have a friendship";
  for (const person of people) {
    const expected = [...person.friends.keys()].sort().join();
    const listed = await withRetries(() => person.call(listFriends, { params: { user_id: person.id } }));
    const atServer = listed
      .map(({ id }) => id)
      .sort()
      .join();
    ledger.checks.verify(name, atServer === expected, () => `${person.id} at the server: ${atServer}, not ${expected}`);
    for (const tab of person.tabs) {
      const shown = () =>
        tab.view.friends
          .filter(({ friend, thread }) => thread.threadId === person.friends.get(friend.id))
          .map(({ friend }) => friend.id)
          .sort()
          .join();
      await waitUntil(() => shown() === expected, boundMs);
      const isRight = shown() === expected && tab.view.friends.length === person.friends.size;
      ledger.checks.verify(name, isRight, () => `${tab.name} of ${person.id}: ${shown()}, not ${expected}`);
    }
  }
}
