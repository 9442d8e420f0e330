import { type AccessEvent, FRIENDSHIPS_CHANNEL } from "@messageoh/contracts/bus";
import type { FriendshipChange } from "@messageoh/contracts/internal/users";
import { payloadsOf } from "../../testing/client.ts";
import { useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually } from "../../testing/waiting.ts";

const tier = useTwoInstances();
const TO_BOB = { sending_user_id: "ann", recipient_user_id: "bob" };
const TO_ANN = { sending_user_id: "bob", recipient_user_id: "ann" };

/** Connects ann and bob to different instances and lets them join their room. */
async function connectBoth() {
  const [ann, bob] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.two, "bob")];
  expect(await ann.emitWithAck("join_room", TO_BOB)).toEqual({});
  expect(await bob.emitWithAck("join_room", TO_ANN)).toEqual({});
  return { ann, bob };
}
type Client = Awaited<ReturnType<typeof connectBoth>>["ann"];
const removed = (client: Client) => payloadsOf(client, "friend_removed");
const untilRemoved = (client: Client) =>
  eventually(
    () => removed(client),
    (events) => events.length > 0,
  );

const announce = (change: FriendshipChange) => {
  const event: AccessEvent = { type: "friendship_changed", change, request_id: "r" };
  return tier.two.publish([[FRIENDSHIPS_CHANNEL, event]]);
};

it.each([
  ["an event", announce],
  [
    "the feed of svc-users, when the event is lost",
    async (change: FriendshipChange) => void tier.users.friendshipChanges.push(change),
  ],
])(
  "ends a friendship on all instances by %s: both are told, and typing, presence and joins end",
  async (_, deliver) => {
    const { ann, bob } = await connectBoth();
    await deliver(tier.users.endFriendship("ann-bob"));
    await Promise.all([untilRemoved(ann), untilRemoved(bob)]);
    expect([removed(ann), removed(bob)]).toEqual([
      [{ user_id: "bob", thread_id: "ann-bob" }],
      [{ user_id: "ann", thread_id: "ann-bob" }],
    ]);
    const before = ann.received.length;
    expect(await bob.emitWithAck("typing", { thread_id: "ann-bob", is_typing: true })).toMatchObject({
      error: "You are not in this thread",
    });
    expect(await bob.emitWithAck("join_room", TO_ANN)).toEqual({ error: "You are not friends", is_retryable: false });
    expect(await ann.emitWithAck("add_friend", { new_friend_id: "bob" })).toMatchObject({
      error: "You are not friends",
    });
    bob.disconnect();
    // A round trip of ann's socket orders the events before this check.
    await ann.emitWithAck("join_add_friend_room", { current_user_id: "ann" });
    expect(ann.received.slice(before)).toEqual([]);
  },
);

it("tells nobody of a change between users who do not know each other as friends, or of a second end", async () => {
  const { ann, bob } = await connectBoth();
  const eve = await tier.connect(tier.two, "eve");
  // A block of a stranger, as a release before this one reports it.
  const change = { thread_id: "ann-eve", user_ids: ["ann", "eve"] as [string, string], is_friends: false };
  tier.users.friendshipChanges.push({ ...change, changed_at: "2026-01-01T00:00:01.000Z" });
  await announce({ ...change, changed_at: "2026-01-01T00:00:02.000Z" });
  const ended = tier.users.endFriendship("ann-bob");
  for (const second of [3, 4]) await announce({ ...ended, changed_at: `2026-01-01T00:00:0${second}.000Z` });
  await Promise.all([untilRemoved(ann), untilRemoved(bob)]);
  // Both instances have applied the entries before this one when they apply it.
  const later = { thread_id: "bob-cyd", user_ids: ["bob", "cyd"] as [string, string], is_friends: false };
  const onBoth = [await tier.connect(tier.one, "cyd"), await tier.connect(tier.two, "cyd")];
  for (const cyd of onBoth) await cyd.emitWithAck("join_room", { sending_user_id: "cyd", recipient_user_id: "bob" });
  tier.users.friendshipChanges.push({ ...later, changed_at: "2026-01-01T00:00:05.000Z" });
  await Promise.all(onBoth.map(untilRemoved));
  for (const client of [ann, bob, eve]) await client.emitWithAck("typing", { thread_id: "none", is_typing: true });
  expect([removed(ann), removed(eve)]).toEqual([[{ user_id: "bob", thread_id: "ann-bob" }], []]);
  expect(removed(bob)).toEqual([{ user_id: "ann", thread_id: "ann-bob" }]);
});

it("lets a pair that is friends again join and be announced again", async () => {
  const { ann, bob } = await connectBoth();
  const threads = tier.users.threads;
  await announce(tier.users.endFriendship("ann-bob"));
  await Promise.all([untilRemoved(ann), untilRemoved(bob)]);
  tier.users.threads = threads;
  expect(await ann.emitWithAck("join_room", TO_BOB)).toEqual({});
  expect(await ann.emitWithAck("add_friend", { new_friend_id: "bob" })).toEqual({});
  await eventually(
    () => payloadsOf(bob, "received_add_new_friend"),
    (events) => events.length === 1,
  );
});

it("keeps pairs in their rooms while svc-users is down", async () => {
  const { ann, bob } = await connectBoth();
  tier.users.isDown = true;
  expect(await ann.emitWithAck("join_room", TO_BOB)).toEqual({});
  await ann.emitWithAck("typing", { thread_id: "ann-bob", is_typing: true });
  await eventually(
    () => payloadsOf(bob, "typing"),
    (events) => events.length === 1,
  );
});

it("tells the other devices of a user which friends are muted", async () => {
  const ann = await tier.connect(tier.one, "ann");
  const flags = { is_muted: true, has_notice: false };
  await tier.publish("ann", { type: "friend_changed", friend_id: "bob", ...flags, request_id: "r" });
  await eventually(
    () => payloadsOf(ann, "friend_changed"),
    (events) => events.length === 1,
  );
  expect(payloadsOf(ann, "friend_changed")).toEqual([{ user_id: "bob", ...flags }]);
});
