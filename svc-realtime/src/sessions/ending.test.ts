import { SESSIONS_CHANNEL } from "@messageoh/contracts/bus";
import { cutRedis } from "@messageoh/service-kit/testing/redis";
import { payloadsOf } from "../../testing/client.ts";
import { useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually } from "../../testing/waiting.ts";

const tier = useTwoInstances();

it("closes the sockets of a session on every instance when the session ends", async () => {
  const [onOne, onTwo, bob] = [
    await tier.connect(tier.one, "ann"),
    await tier.connect(tier.two, "ann"),
    await tier.connect(tier.one, "bob"),
  ];
  const event = { type: "session_ended", session_id: "session-ann", user_id: "ann", request_id: "r" };
  await tier.two.publish([[SESSIONS_CHANNEL, event]]);
  await eventually(
    () => [onOne.connected, onTwo.connected],
    (connected) => !connected.includes(true),
  );
  expect(bob.connected).toBe(true);
  expect(onOne.received).toEqual([["session_ended", {}]]);
});

it("closes the sockets of a session within two seconds when no event announces its end", async () => {
  const [onOne, onTwo] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.two, "ann")];
  const bob = await tier.connect(tier.one, "bob");
  tier.users.endedSessionIds.push("session-ann");
  tier.users.signedOut.add("ann");
  const openCount = (clients: (typeof onOne)[]) => clients.filter(({ connected }) => connected).length;
  await eventually(
    () => openCount([onOne, onTwo]),
    (open) => open === 0,
    2_000,
  );
  expect([onOne.received, bob.connected]).toEqual([[["session_ended", {}]], true]);
  await expect(tier.connect(tier.one, "ann")).rejects.toThrow("unauthorised");
});

it("closes the sockets of a session that ended during a Redis outage", async () => {
  const [ann, bob] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.one, "bob")];
  tier.users.signedOut.add("ann");
  await cutRedis(tier.one.redis.subscriber);
  await eventually(
    () => ann.connected,
    (isConnected) => !isConnected,
  );
  expect(payloadsOf(ann, "session_ended")).toEqual([{}]);
  expect(bob.connected).toBe(true);
});

it("keeps sockets open while sessions cannot be checked", async () => {
  const ann = await tier.connect(tier.one, "ann");
  tier.users.isDown = true;
  await cutRedis(tier.one.redis.subscriber);
  await eventually(
    () => payloadsOf(ann, "resync"),
    (events) => events.length > 0,
  );
  tier.users.isDown = false;
  expect(await ann.emitWithAck("join_add_friend_room", { current_user_id: "ann" })).toEqual({});
});
