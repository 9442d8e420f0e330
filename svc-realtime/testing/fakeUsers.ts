import { ApiError, type Call } from "@messageoh/contracts/client";
import {
  listEndedSessions,
  listUserThreads,
  lookUpSession,
  type Session,
  type ThreadMembers,
} from "@messageoh/contracts/users";
import { createFakeCall, route } from "./fakeService.ts";

/**
 * A fake svc-users. The token of a user's session is `TOKEN-<name>`, or `TOKEN-<name>-<suffix>` for another session. The
 * members of each thread are friends.
 */
export class FakeUsers {
  /** Whether every call fails. */
  isDown = false;
  /** Names of users whose sessions are not found. */
  readonly signedOut = new Set<string>();
  /** Ids of sessions that the list of ended sessions contains. */
  readonly endedSessionIds: string[] = [];
  readonly call: Call;

  constructor(threads: readonly ThreadMembers[]) {
    const call = createFakeCall([
      route(lookUpSession, ({ body }) => ({ session: this.#sessionOf(body.token) })),
      route(listEndedSessions, () => ({
        sessions: this.endedSessionIds.map((session_id) => ({ session_id, user_id: "some-user" })),
        until: new Date().toISOString(),
        has_more: false,
      })),
      route(listUserThreads, ({ params }) => threads.filter(({ user_ids }) => user_ids.includes(params.user_id))),
    ]);
    this.call = async (endpoint, input) => {
      if (this.isDown) throw new ApiError(0);
      return call(endpoint, input);
    };
  }

  #sessionOf(token: string): Session | null {
    const name = token.split("-")[1];
    if (!name || this.signedOut.has(name)) return null;
    return { session_id: token.replace("TOKEN", "session"), user: { id: name, name, avatar_id: "fox-id" } };
  }
}
