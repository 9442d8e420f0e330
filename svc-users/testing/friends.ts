import type { User } from "@messageoh/contracts/users";
import { listChanges, registerUser, TEST_SECRET, type TestService, type TestUser } from "./service.ts";

/** Returns functions that make the calls about friends, each with the session of its first user. */
export function friendCalls(service: TestService) {
  const call = <Body>(method: string, path: string, { cookie }: TestUser, body?: object) =>
    service.call<Body>(path, { method, cookie, ...(body && { body }) });
  const internal = { headers: { "x-internal-secret": TEST_SECRET } };
  return {
    add: (user: TestUser, friend: TestUser) =>
      call<{ thread_id: string }>("POST", "/add_friend", user, { user_id: user.id, friend_id: friend.id }),
    unfriend: (user: TestUser, friend: TestUser) => call("DELETE", `/friends/${user.id}/${friend.id}`, user),
    change: (user: TestUser, friend: TestUser, body: object) =>
      call("PUT", `/friends/${user.id}/${friend.id}`, user, body),
    block: (user: TestUser, other: TestUser) => call("PUT", `/users/${user.id}/blocked/${other.id}`, user),
    unblock: (user: TestUser, other: TestUser) => call("DELETE", `/users/${user.id}/blocked/${other.id}`, user),
    blocked: async (user: TestUser) => (await call<User[]>("GET", `/users/${user.id}/blocked`, user)).body,
    friends: async (user: TestUser) => (await call<User[]>("GET", `/friends/${user.id}`, user)).body,
    allow: (user: TestUser, who_may_add: string) => call("PUT", `/users/${user.id}/privacy`, user, { who_may_add }),
    /** Returns whether a user finds another by name. */
    async finds(user: TestUser, other: TestUser): Promise<boolean> {
      const { body } = await call<User[]>("GET", `/users?search=${encodeURIComponent(other.name)}`, user);
      return body.some(({ id }) => id === other.id);
    },
    /** Returns the thread of two users as other services see it, or `null`. */
    thread: async (threadId: string) =>
      (await service.call<{ thread: unknown }>(`/internal/threads/${threadId}`, internal)).body.thread,
    /** Returns the changed friendships that other services see. */
    async changes(since?: string) {
      const { changes, until } = await listChanges(service, since);
      return { changes: changes.flatMap((item) => (item.type === "friendship_changed" ? [item.change] : [])), until };
    },
    /** Registers two users who are friends, and returns them with the id of their thread. */
    async aPair() {
      const [one, two] = [await registerUser(service), await registerUser(service)];
      const { body } = await this.add(one, two);
      return { one, two, threadId: body.thread_id };
    },
  };
}
