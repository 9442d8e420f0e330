import { type FriendshipChange, listFriendshipChanges } from "@messageoh/contracts/internal/users";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { silentLogger } from "../../testing/datastores.ts";
import { pollFriendshipChanges } from "./friendshipChanges.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const UNTIL = "2026-01-01T00:00:10.000Z";
const change = (thread_id: string, second: number): FriendshipChange => ({
  thread_id,
  user_ids: ["ann", "bob"],
  is_friends: false,
  changed_at: `2026-01-01T00:00:0${second}.000Z`,
});

it("reports each change once, whether the bus or the feed delivers it first", async () => {
  const [first, again, other] = [change("one", 1), change("one", 3), change("two", 2)];
  const pages = [[first], [first, other], [first, other, again]];
  const reported: unknown[] = [];
  const callUsers = createFakeCall([
    route(listFriendshipChanges, () => ({ changes: pages.shift() ?? [], until: UNTIL, has_more: false })),
  ]);
  const feed = pollFriendshipChanges(callUsers, (item) => reported.push(item), silentLogger);
  await jest.advanceTimersByTimeAsync(0);
  feed.handle(other);
  feed.handle(first);
  await jest.advanceTimersByTimeAsync(2_000);
  feed.close();
  expect(reported).toEqual([first, other, again]);
});
