import { FRIENDSHIPS_CHANNEL, SESSIONS_CHANNEL } from "@messageoh/contracts/bus";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { datastoreUrl, silentLogger } from "../../testing/datastores.ts";
import { until } from "../../testing/until.ts";
import { createPublish } from "../datastores/publish.ts";
import { connectRedis, type Redis } from "../datastores/redis.ts";
import { createSessionCache } from "../sessions/sessionCache.ts";
import { followUsers } from "./followUsers.ts";

const connections: Redis[] = [];
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnect();
});

async function connect(name: string): Promise<Redis> {
  const redis = connectRedis(datastoreUrl("REDIS"), silentLogger, name);
  connections.push(redis);
  await new Promise<void>((resolve) => redis.once("ready", resolve));
  return redis;
}

it("forgets a session at its end and reports a friendship at its end, by the bus", async () => {
  const [publisher, redis] = [await connect("publisher"), await connect("listener")];
  const users = new FakeUsers([threadBetween("ann", "bob")]);
  const sessions = createSessionCache(users.call);
  expect(await sessions.find("TOKEN-ann")).not.toBeNull();
  users.signedOut.add("ann");
  const changes: unknown[] = [];
  const onFriendshipChange = (change: unknown) => changes.push(change);
  await followUsers({ callUsers: users.call, redis, sessions, onFriendshipChange, logger: silentLogger });
  const change = users.endFriendship("ann-bob");
  const session = { type: "session_ended", session_id: "session-ann", user_id: "ann", request_id: "r" };
  await createPublish(
    publisher,
    silentLogger,
  )([
    [SESSIONS_CHANNEL, session],
    [FRIENDSHIPS_CHANNEL, { type: "friendship_changed", change, request_id: "r" }],
  ]);
  await until(() => changes.length > 0);
  expect(changes).toEqual([change]);
  expect(await sessions.find("TOKEN-ann")).toBeNull();
});
