import { connectRedis, type Redis } from "@messageoh/service-kit/redis";
import { shardOf } from "@messageoh/service-kit/shards";
import { datastoreUrl, silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import { eventually, pause } from "../../testing/waiting.ts";
import { userRoom } from "../rooms.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { createPresence, type Presence } from "./presence.ts";

const NEVER_MS = 60_000;

/** One instance with a recording server instead of Socket.IO. */
interface FakeInstance {
  presence: Presence;
  /** Events to rooms, as `room user_id is_online`. */
  announced: string[];
  /** Lets a socket join its user's room, before it is connected. */
  shakeHands(userId: string): Socket;
  leave(socket: Socket): void;
  connect(userId: string): Socket;
  disconnect(socket: Socket): void;
}
type Socket = RealtimeSocket & { told: object[] };

let redis: Redis;
const opened: FakeInstance[] = [];
let testNumber = 0;
/** Returns a user id that no other test uses, because Redis keeps the entries. */
const user = (name: string) => `${name}-${testNumber}`;

/** Resolves when an instance has announced to Bob that Ann is offline. */
const bobHearsOfDeparture = ({ announced }: FakeInstance) =>
  until(() => announced.includes(`user:${user("bob")} ${user("ann")} false`));

beforeAll(async () => {
  redis = connectRedis(datastoreUrl("REDIS"), silentLogger, "presence test");
  await eventually(
    () => redis.status,
    (status) => status === "ready",
  );
});
beforeEach(() => {
  testNumber += 1;
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  for (const { presence } of opened.splice(0)) presence.close();
});
afterAll(() => redis.disconnect());

function openInstance(instance: string, offlineAfterMs: number): FakeInstance {
  const rooms = new Map<string, Set<object>>();
  const sockets = new Map<Socket, Socket>();
  const announced: string[] = [];
  const io = {
    sockets: { adapter: { rooms }, sockets },
    to: (room: string) => ({
      emit: (_: string, { user_id, is_online }: { user_id: string; is_online: boolean }) =>
        announced.push(`${room} ${user_id} ${is_online}`),
    }),
  };
  const presence = createPresence({
    io: io as object as RealtimeServer,
    redis,
    instance,
    localUsers: () => [...rooms.keys()].map((room) => room.slice("user:".length)),
    offlineAfterMs,
  });
  const opening: FakeInstance = {
    presence,
    announced,
    shakeHands(userId) {
      const told: object[] = [];
      const data = { user: { id: userId }, friends: new Map() };
      const emit = (_: string, payload: object) => told.push(payload);
      const socket = { data, told, emit } as object as Socket;
      const room = rooms.get(userRoom(userId)) ?? new Set();
      rooms.set(userRoom(userId), room.add(socket));
      return socket;
    },
    connect(userId) {
      const socket = opening.shakeHands(userId);
      sockets.set(socket, socket);
      presence.onConnect(socket);
      return socket;
    },
    leave(socket) {
      sockets.delete(socket);
      const room = userRoom(socket.data.user.id);
      rooms.get(room)?.delete(socket);
      if (rooms.get(room)?.size === 0) rooms.delete(room);
    },
    disconnect(socket) {
      opening.leave(socket);
      presence.onDisconnect(socket);
    },
  };
  opened.push(opening);
  return opening;
}

const threadOf = (...users: string[]) => users.toSorted().join("-");

async function befriend({ presence }: FakeInstance, socket: Socket, friendId: string): Promise<void> {
  const threadId = threadOf(socket.data.user.id, friendId);
  socket.data.friends.set(threadId, friendId);
  await presence.introduce(socket, threadId);
}

it("tells a user and an online friend about each other, and sends nothing to a friend who is offline", async () => {
  const [one, two] = [openInstance("one", NEVER_MS), openInstance("two", NEVER_MS)];
  const ann = one.connect(user("ann"));
  await befriend(one, ann, user("bob"));
  expect([ann.told, one.announced]).toEqual([[{ user_id: user("bob"), is_online: false }], []]);
  const bob = two.connect(user("bob"));
  await befriend(two, bob, user("ann"));
  expect(bob.told).toEqual([{ user_id: user("ann"), is_online: true }]);
  expect(two.announced).toEqual([`user:${user("ann")} ${user("bob")} true`]);
});

it("announces nothing about a user who reconnects to another instance in time, or opens another tab", async () => {
  const [one, two] = [openInstance("one", NEVER_MS), openInstance("two", NEVER_MS)];
  two.connect(user("bob"));
  const ann = one.connect(user("ann"));
  await befriend(one, ann, user("bob"));
  expect(one.announced).toEqual([`user:${user("bob")} ${user("ann")} true`]);
  one.disconnect(ann);
  for (const instance of [two, one]) await befriend(instance, instance.connect(user("ann")), user("bob"));
  expect([one.announced.length, two.announced]).toEqual([1, []]);
});

it("announces that a user is offline some time after the last disconnect, unless another instance has a socket", async () => {
  const [one, two] = [openInstance("one", 1), openInstance("two", 1)];
  const [ann, annOnTwo] = [one.connect(user("ann")), two.connect(user("ann"))];
  const cyd = one.connect(user("cyd"));
  for (const socket of [ann, cyd]) await befriend(one, socket, user("bob"));
  await befriend(two, annOnTwo, user("bob"));
  one.disconnect(ann);
  one.disconnect(cyd);
  // Departures are handled in order, so ann's is over when cyd's is.
  await eventually(
    () => one.announced,
    (announced) => announced.length > 0,
  );
  expect(one.announced).toEqual([`user:${user("bob")} ${user("cyd")} false`]);
  two.disconnect(annOnTwo);
  await eventually(
    () => two.announced,
    (announced) => announced.length > 0,
  );
  expect(two.announced).toEqual([`user:${user("bob")} ${user("ann")} false`]);
});

it("announces a departure also after a connection that ended before it had joined its friends", async () => {
  const one = openInstance("one", 1_000);
  const [ann, bob] = [one.connect(user("ann")), one.connect(user("bob"))];
  await befriend(one, ann, user("bob"));
  one.disconnect(ann);
  one.disconnect(one.connect(user("ann")));
  await bobHearsOfDeparture(one);
  one.disconnect(bob);
});

it("announces a departure also if the connection that had joined the friends closes first", async () => {
  const one = openInstance("one", 1);
  const [earlier, later, bob] = [one.connect(user("ann")), one.connect(user("ann")), one.connect(user("bob"))];
  await befriend(one, earlier, user("bob"));
  one.disconnect(earlier);
  one.disconnect(later);
  await bobHearsOfDeparture(one);
  one.disconnect(bob);
});

it("announces a departure also if a later connection without friends outlasts the time of the first", async () => {
  const one = openInstance("one", 1);
  const [ann, bob] = [one.connect(user("ann")), one.connect(user("bob"))];
  await befriend(one, ann, user("bob"));
  one.disconnect(ann);
  const later = one.connect(user("ann"));
  await pause(300);
  expect(one.announced).toEqual([`user:${user("bob")} ${user("ann")} true`]);
  one.disconnect(later);
  await bobHearsOfDeparture(one);
  one.disconnect(bob);
});

it("announces a departure also if a handshake fails meanwhile", async () => {
  const one = openInstance("one", 1);
  const [ann, bob] = [one.connect(user("ann")), one.connect(user("bob"))];
  await befriend(one, ann, user("bob"));
  const handshake = one.shakeHands(user("ann"));
  one.disconnect(ann);
  await pause(300);
  expect(one.announced).toEqual([`user:${user("bob")} ${user("ann")} true`]);
  one.leave(handshake);
  await bobHearsOfDeparture(one);
  one.disconnect(bob);
});

describe("while a call of Redis is pending", () => {
  /** Holds the calls of a command until `release`, which also rejects them if an error is given. */
  function hold(command: "eval" | "mget") {
    const released = Promise.withResolvers<void>();
    const call = redis[command].bind(redis) as (...args: unknown[]) => Promise<unknown>;
    const held = jest.spyOn(redis, command).mockImplementation((async (...args: unknown[]) => {
      await released.promise;
      return call(...args);
    }) as never);
    const release = (error?: Error) => {
      held.mockRestore();
      if (error) released.reject(error);
      else released.resolve();
    };
    return { held, release };
  }

  it.each([
    ["responds", undefined],
    ["rejects", new Error("Redis is down")],
  ])("does not announce a departure to a friend who was lost before Redis %s", async (_, error) => {
    const one = openInstance("one", 1);
    const [ann, bob, cyd] = [one.connect(user("ann")), one.connect(user("bob")), one.connect(user("cyd"))];
    for (const friend of ["bob", "cyd"]) await befriend(one, ann, user(friend));
    one.announced.length = 0;
    const { held, release } = hold("eval");
    one.disconnect(ann);
    await until(() => held.mock.calls.length > 0);
    one.presence.part(threadOf(user("ann"), user("bob")), [user("ann"), user("bob")]);
    release(error);
    await until(() => one.announced.length > 0);
    expect(one.announced).toEqual([`user:${user("cyd")} ${user("ann")} false`]);
    for (const socket of [bob, cyd]) one.disconnect(socket);
  });

  it.each([
    ["has a socket on another instance", "two", "eval"],
    ["has a socket on this instance", "one", "eval"],
    ["is offline", undefined, "mget"],
  ] as const)("does not introduce a friend who was lost meanwhile and %s", async (_, place, command) => {
    const instances = { one: openInstance("one", NEVER_MS), two: openInstance("two", NEVER_MS) };
    const { one } = instances;
    if (place) await instances[place].connect(user("bob")).data.cameOnline;
    const { held, release } = hold(command);
    const ann = one.connect(user("ann"));
    const introduced = befriend(one, ann, user("bob"));
    await until(() => held.mock.calls.length > 0);
    ann.data.friends.clear();
    release();
    await introduced;
    expect([ann.told, one.announced]).toEqual([[], []]);
  });
});

it("announces a departure during an outage of Redis when Redis is back", async () => {
  const one = openInstance("one", 1);
  const [ann, bob] = [one.connect(user("ann")), one.connect(user("bob"))];
  await befriend(one, ann, user("bob"));
  const outage = jest.spyOn(redis, "eval").mockRejectedValue(new Error("Redis is down"));
  one.disconnect(ann);
  await until(() => outage.mock.calls.length > 0);
  outage.mockRestore();
  await bobHearsOfDeparture(one);
  one.disconnect(bob);
});

it("announces a user whose entry Redis has lost, after it is written again", async () => {
  const [one, two] = [openInstance("one", NEVER_MS), openInstance("two", NEVER_MS)];
  const earlier = one.connect(user("ann"));
  await earlier.data.cameOnline;
  one.disconnect(earlier);
  const ann = one.connect(user("ann"));
  const bob = two.connect(user("bob"));
  await befriend(one, ann, user("bob"));
  expect(one.announced).toEqual([]);
  await redis.del(`online:${user("ann")}${shardOf(redis, user("ann"))}`);
  await befriend(two, bob, user("ann"));
  expect(bob.told.at(-1)).toMatchObject({ is_online: false });
  for (const { presence } of [two, one]) await presence.renew();
  expect(one.announced).toContain(`user:${user("bob")} ${user("ann")} true`);
  await two.presence.renew();
  expect(bob.told.at(-1)).toMatchObject({ is_online: true });
});

it("announces many departures at a limited rate, and none of users who are back before their turn", async () => {
  jest.useFakeTimers({ now: Date.now(), doNotFake: ["setTimeout", "setImmediate", "performance", "nextTick"] });
  const [one, two] = [openInstance("one", 0), openInstance("two", NEVER_MS)];
  const names = Array.from({ length: 25 }, (_, index) => user(`guest ${index}`));
  const sockets = names.map((name) => one.connect(name));
  for (const socket of sockets) await befriend(one, socket, user("bob"));
  for (const socket of sockets) one.disconnect(socket);
  const announced = async (count: number) => {
    jest.advanceTimersByTime(200);
    await eventually(
      () => one.announced.length,
      (length) => length >= count,
    );
  };
  await announced(10);
  await Promise.all(names.slice(10, 20).map((name) => two.connect(name).data.cameOnline));
  await announced(10);
  await announced(15);
  const left = (name: string) => `user:${user("bob")} ${name} false`;
  expect(one.announced).toEqual([...names.slice(0, 10), ...names.slice(20)].map(left));
});

it("lets the users of a closed instance become offline without announcements", async () => {
  const [one, two] = [openInstance("one", 1), openInstance("two", NEVER_MS)];
  const ann = one.connect(user("ann"));
  await ann.data.cameOnline;
  one.presence.close();
  const bob = two.connect(user("bob"));
  await until(async () => {
    await befriend(two, bob, user("ann"));
    return !(bob.told.at(-1) as { is_online: boolean }).is_online;
  });
  expect(one.announced).toEqual([]);
});

it("does not depend on the clocks of the instances", async () => {
  const [one, two] = [openInstance("one", NEVER_MS), openInstance("two", NEVER_MS)];
  const ann = one.connect(user("ann"));
  await ann.data.cameOnline;
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now + 3_600_000);
  const bob = two.connect(user("bob"));
  await befriend(two, bob, user("ann"));
  expect(bob.told).toEqual([{ user_id: user("ann"), is_online: true }]);
});

it("tells a user when an offline friend was last online, until the friend is back", async () => {
  const one = openInstance("one", 1);
  const bob = one.connect(user("bob"));
  await befriend(one, bob, user("ann"));
  const before = new Date(Date.now() - 1).toISOString();
  one.disconnect(bob);
  await eventually(
    () => one.announced.at(-1),
    (last) => last === `user:${user("ann")} ${user("bob")} false`,
  );
  const ann = one.connect(user("ann"));
  await befriend(one, ann, user("bob"));
  const told = ann.told.at(-1) as { is_online: boolean; last_seen_at: string };
  expect(told.is_online).toBe(false);
  expect(told.last_seen_at >= before && told.last_seen_at <= new Date().toISOString()).toBe(true);
  one.connect(user("bob"));
  await befriend(one, ann, user("bob"));
  expect(ann.told.at(-1)).toEqual({ user_id: user("bob"), is_online: true });
});
