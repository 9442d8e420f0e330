import { ApiError, type Call } from "../src/http/client.ts";
import type { AccountData, DeletedTexts } from "../src/http/users.ts";
import {
  type FriendshipChange,
  finishDeletion,
  getAccountData,
  getThreadMembers,
  listAccessChanges,
  listDeletions,
  listThreadsOfUsers,
  lookUpSessions,
  type Session,
  type ThreadMembers,
} from "../src/internal/users.ts";
import { createFakeCall, route } from "./fakeService.ts";

/** Returns a thread whose id names its two users. */
export const threadBetween = (one: string, other: string): ThreadMembers => ({
  thread_id: `${one}-${other}`,
  user_ids: [one, other],
  created_at: "2026-01-01T00:00:00.000Z",
});

/**
 * A fake svc-users. The token of a user's session is `TOKEN-<name>`, or `TOKEN-<name>-<suffix>` for another session,
 * and the id of the session is the same with `session` instead of `TOKEN`. The members of each thread are friends.
 */
export class FakeUsers {
  threads: ThreadMembers[];
  /** Whether every call fails without a response. */
  isDown = false;
  /** Names of users whose sessions are not found. */
  readonly signedOut = new Set<string>();
  /** Ids of sessions that the list of ended sessions contains. */
  readonly endedSessionIds: string[] = [];
  /** Changes that the feed of friendships contains. */
  readonly friendshipChanges: FriendshipChange[] = [];
  /** Deleted accounts. A test closes their threads in `threads`. */
  readonly deletions: { user_id: string; texts: DeletedTexts; is_open: boolean }[] = [];
  /** People whose friendship with a user has ended, by the id of that user. */
  readonly formerFriends = new Map<string, AccountData["former_friends"]>();
  /** Ids of the threads that were looked up, in order. */
  readonly lookedUp: string[] = [];
  /** Returns the name of the user of a session, or `undefined` if there is no such session. */
  nameOf = (token: string): string | undefined => token.split("-")[1];
  /** Runs before each response to a lookup of a thread or of a user's threads. A test makes it fail or hang. */
  beforeResponse = async (_threadId?: string): Promise<void> => {};
  readonly call: Call;

  constructor(threads: readonly ThreadMembers[]) {
    this.threads = [...threads];
    const call = createFakeCall([
      route(lookUpSessions, ({ body }) => ({ sessions: body.tokens.map((token) => this.#sessionOf(token)) })),
      route(listAccessChanges, () => ({
        changes: [
          ...this.endedSessionIds.map((session_id) => ({
            ...{ type: "session_ended" as const, session_id, user_id: session_id.split("-")[1] ?? "" },
          })),
          ...this.friendshipChanges.map((change) => ({ type: "friendship_changed" as const, change })),
        ],
        until: new Date().toISOString(),
        has_more: false,
      })),
      route(listDeletions, () => ({ deletions: this.deletions })),
      route(finishDeletion, ({ params: { user_id } }) => {
        for (const deletion of this.deletions) if (deletion.user_id === user_id) deletion.is_open = false;
        return {};
      }),
      route(getAccountData, ({ params: { user_id } }) => ({
        account: { id: user_id, name: user_id, avatar_id: "fox-id", created_at: "2026-01-01T00:00:00.000Z" },
        friends: this.threads.flatMap(({ user_ids }) =>
          user_ids.includes(user_id)
            ? user_ids.filter((id) => id !== user_id).map((id) => ({ id, name: id, avatar_id: "fox-id" }))
            : [],
        ),
        former_friends: this.formerFriends.get(user_id),
        sessions: [],
      })),
      route(getThreadMembers, async ({ params: { thread_id } }) => {
        this.lookedUp.push(thread_id);
        await this.beforeResponse(thread_id);
        return { thread: this.threads.find((thread) => thread.thread_id === thread_id) ?? null };
      }),
      route(listThreadsOfUsers, async ({ body }) => {
        await this.beforeResponse();
        return this.threads.filter(({ user_ids }) => user_ids.some((id) => body.user_ids.includes(id)));
      }),
    ]);
    this.call = async (endpoint, input) => {
      if (this.isDown) throw new ApiError(0);
      return call(endpoint, input);
    };
  }

  /** Ends the friendship of a thread and returns the change, which is not in the feed yet. */
  endFriendship(thread_id: string): FriendshipChange {
    const thread = this.threads.find((candidate) => candidate.thread_id === thread_id);
    if (!thread) throw new Error(`No thread ${thread_id}`);
    this.threads = this.threads.filter((candidate) => candidate !== thread);
    return { thread_id, user_ids: thread.user_ids, is_friends: false, changed_at: new Date().toISOString() };
  }

  #sessionOf(token: string): Session | null {
    const name = this.nameOf(token);
    if (!name || this.signedOut.has(name)) return null;
    return { session_id: token.replace("TOKEN", "session"), user: { id: name, name, avatar_id: "fox-id" } };
  }
}
