import type { Call } from "@messageoh/contracts/client";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { createFriendships } from "./friendships.ts";

const FRIENDS = 1_000;

it("remembers 200,000 threads at most, whoever has how many", async () => {
  let asked = 0;
  const call = (async (_: unknown, { params: { user_id } }: { params: { user_id: string } }) => {
    asked += 1;
    return Array.from({ length: FRIENDS }, (_, index): ThreadMembers => {
      const user_ids: [string, string] = [user_id, `friend-${index}`];
      return { thread_id: `${user_id}-${index}`, user_ids, created_at: "2026-01-01T00:00:00Z" };
    });
  }) as Call;
  const friendships = createFriendships(call);
  const isKnown = async (user: string) => {
    const before = asked;
    expect((await friendships.threadBetween(user, "friend-7"))?.thread_id).toBe(`${user}-7`);
    return asked === before;
  };
  for (let user = 0; user < 200; user += 1) expect(await isKnown(`user-${user}`)).toBe(false);
  expect([await isKnown("user-199"), await isKnown("user-0")]).toEqual([true, false]);
});
