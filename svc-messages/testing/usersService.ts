import { ApiError, type Call } from "@messageoh/contracts/client";
import type { CallInput, Endpoint } from "@messageoh/contracts/endpoint";
import {
  getThreadMembers,
  listUserThreads,
  lookUpSession,
  type Session,
  type ThreadMembers,
} from "@messageoh/contracts/users";
import type * as z from "zod/mini";

/** Returns a thread whose id names its two users. */
export const threadBetween = (one: string, other: string): ThreadMembers => ({
  thread_id: `${one}-${other}`,
  user_ids: [one, other],
  created_at: "2026-01-01T00:00:00.000Z",
});

export type FakeUsers = ReturnType<typeof fakeUsersService>;

/** Creates a test double of svc-users with these threads. Responses are parsed with the contracts' schemas. */
export function fakeUsersService(threads: ThreadMembers[], userOf: (token: string) => string | undefined = () => "") {
  const fake = {
    threads,
    /** Ids of the threads that were looked up, in order. */
    lookedUp: [] as string[],
    /** Runs before each response; throws or waits where svc-users fails or hangs. */
    before: async (_threadId?: string): Promise<void> => {},
    call: call as Call,
  };

  async function call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<z.output<E["answer"]>> {
    const { thread_id, user_id, token } = { ...(input.params as object), ...(input.body as object) } as Record<
      string,
      string | undefined
    >;
    if (thread_id !== undefined) fake.lookedUp.push(thread_id);
    await fake.before(thread_id);
    const answers = new Map<Endpoint, unknown>([
      [lookUpSession, { session: sessionOf(userOf(token ?? ""), token) }],
      [getThreadMembers, { thread: fake.threads.find((thread) => thread.thread_id === thread_id) ?? null }],
      [listUserThreads, fake.threads.filter(({ user_ids }) => user_ids.includes(user_id ?? ""))],
    ]);
    if (!answers.has(endpoint)) throw new ApiError(404);
    return endpoint.answer.parse(answers.get(endpoint)) as z.output<E["answer"]>;
  }
  return fake;
}

function sessionOf(userId: string | undefined, token: string | undefined): Session | null {
  if (!userId) return null;
  return { session_id: `session-${token}`, user: { id: userId, name: userId, avatar_id: "fox-id" } };
}
