import type { FriendshipChange } from "@messageoh/contracts/internal/users";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { pollFriendshipChanges } from "@messageoh/service-kit/friendshipChanges";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { createMembers } from "./members.ts";

beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate"] }));
afterEach(() => jest.useRealTimers());

/** Returns a service that has cached the thread of ann and bob, whose friendship has then ended. */
async function afterTheEnd() {
  const users = new FakeUsers([threadBetween("ann", "bob")]);
  const members = createMembers(users.call);
  const onChange = ({ thread_id, user_ids }: FriendshipChange) => members.forget(thread_id, user_ids);
  const changes = pollFriendshipChanges(users.call, onChange, silentLogger);
  await jest.advanceTimersByTimeAsync(0);
  expect(await members.find("ann-bob", "ann")).toMatchObject({ thread_id: "ann-bob" });
  expect(await members.listOfCached("bob")).toHaveLength(1);
  const change = users.endFriendship("ann-bob");
  expect(await members.find("ann-bob", "ann")).not.toBeNull();
  return { users, members, changes, change };
}
describe("the end of a friendship", () => {
  it("takes effect at the event", async () => {
    const { members, changes, change } = await afterTheEnd();
    changes.handle(change);
    expect([await members.find("ann-bob", "ann"), await members.listOfCached("bob")]).toEqual([null, []]);
    changes.close();
  });

  it("takes effect within two seconds without an event, by the feed of svc-users", async () => {
    const { users, members, changes, change } = await afterTheEnd();
    users.friendshipChanges.push(change);
    await jest.advanceTimersByTimeAsync(2_000);
    expect([await members.find("ann-bob", "ann"), await members.listOfCached("bob")]).toEqual([null, []]);
    changes.close();
  });

  it("takes effect within two seconds after an outage of svc-users, without an event", async () => {
    const { users, members, changes, change } = await afterTheEnd();
    users.isDown = true;
    users.friendshipChanges.push(change);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await members.find("ann-bob", "ann")).not.toBeNull();
    users.isDown = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect([await members.find("ann-bob", "ann"), await members.listOfCached("bob")]).toEqual([null, []]);
    changes.close();
  });
});
