import { BLOCKED_MAX } from "@messageoh/contracts/limits";
import { friendCalls } from "../../testing/friends.ts";
import { registerUser, serveUsers, TEST_SECRET, type TestService, type TestUser } from "../../testing/service.ts";

let service: TestService;
let calls: ReturnType<typeof friendCalls>;
beforeAll(async () => {
  service = await serveUsers();
  calls = friendCalls(service);
});
afterAll(() => service.close());

const NOT_ADDED = { status: 403, body: { error: "Friend could not be added" } };
const namesOf = (users: { name: string }[]) => users.map(({ name }) => name);
const ended = (threadId: string) =>
  service.published.filter(([channel, event]) => {
    if (channel !== "friendships") return false;
    const { change } = event as { change: { thread_id: string; is_friends: boolean } };
    return change.thread_id === threadId && !change.is_friends;
  });

describe("unfriending", () => {
  it("ends the friendship for both, and adding again brings back the same thread", async () => {
    const { one, two, threadId } = await calls.aPair();
    expect(await calls.unfriend(two, one)).toMatchObject({ status: 200, body: {} });
    expect([await calls.friends(one), await calls.friends(two), await calls.thread(threadId)]).toEqual([[], [], null]);
    const user_ids = [one.id, two.id].sort();
    expect(ended(threadId)).toMatchObject([["friendships", { change: { user_ids, is_friends: false } }]]);
    expect((await calls.unfriend(one, two)).status).toBe(200);
    expect(ended(threadId)).toHaveLength(1);
    expect((await calls.add(one, two)).body.thread_id).toBe(threadId);
    expect(await calls.thread(threadId)).toMatchObject({ thread_id: threadId, user_ids });
  });

  it("is in the feed of other services once it is in the database, with the state now", async () => {
    const { one, two, threadId } = await calls.aPair();
    const before = (await calls.changes()).until;
    await calls.unfriend(one, two);
    const { changes } = await calls.changes(before);
    expect(changes.at(-1)).toMatchObject({ thread_id: threadId, is_friends: false });
    await calls.add(two, one);
    const { changes: later, until } = await calls.changes(before);
    expect(later.at(-1)).toMatchObject({ thread_id: threadId, is_friends: true, changed_at: until });
  });

  it("at the same moment as adding from another device leaves both as friends or neither", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { one, two, threadId } = await calls.aPair();
      const [removed, added] = await Promise.all([calls.unfriend(one, two), calls.add(one, two)]);
      expect([removed.status, added.status, added.body.thread_id]).toEqual([200, 200, threadId]);
      const lists = [namesOf(await calls.friends(one)), namesOf(await calls.friends(two))];
      expect([
        [[two.name], [one.name]],
        [[], []],
      ]).toContainEqual(lists);
      expect((await calls.thread(threadId)) !== null).toBe(lists[0]?.length === 1);
    }
  });
});

describe("the data of a user for the download", () => {
  const dataOf = async ({ id }: TestUser) => {
    const headers = { "x-internal-secret": TEST_SECRET };
    type Data = { friends: { name: string }[]; former_friends: object[] };
    return (await service.call<Data>(`/internal/users/${id}/data`, { headers })).body;
  };
  const rename = ({ id, cookie }: TestUser, name: string) =>
    service.call(`/users/${id}/name`, { method: "PUT", cookie, body: { name } });

  it.each(["unfriend", "block"] as const)(
    "names a former friend as at the end, after %s, and not after adding again",
    async (how) => {
      const { one, two, threadId } = await calls.aPair();
      await calls[how](two, one);
      expect((await rename(two, `New${two.name}`)).status).toBe(200);
      const former = { id: two.id, name: two.name, thread_id: threadId };
      expect(await dataOf(one)).toMatchObject({ friends: [], former_friends: [former] });
      if (how === "block") await calls.unblock(two, one);
      await calls.add(one, two);
      expect(await dataOf(one)).toMatchObject({ friends: [{ name: `New${two.name}` }], former_friends: [] });
    },
  );
});

describe("blocking", () => {
  it("ends the friendship and refuses the blocked person with the text of any failure", async () => {
    const { one, two, threadId } = await calls.aPair();
    expect((await calls.block(one, two)).status).toBe(200);
    expect([await calls.friends(one), await calls.friends(two), await calls.thread(threadId)]).toEqual([[], [], null]);
    expect(ended(threadId)).toHaveLength(1);
    expect(await calls.add(two, one)).toMatchObject(NOT_ADDED);
    expect(await calls.add(one, two)).toMatchObject(NOT_ADDED);
    expect([namesOf(await calls.blocked(one)), await calls.blocked(two)]).toEqual([[two.name], []]);
    await calls.unblock(one, two);
    expect(await calls.blocked(one)).toEqual([]);
    expect(await calls.friends(two)).toEqual([]);
    expect((await calls.add(two, one)).body.thread_id).toBe(threadId);
  });

  it("hides the two from each other's search, also the complete list, until the block ends", async () => {
    const { one, two } = await calls.aPair();
    const other = await registerUser(service);
    await calls.block(one, two);
    expect([await calls.finds(two, one), await calls.finds(one, two)]).toEqual([false, false]);
    expect([await calls.finds(other, one), await calls.finds(other, two)]).toEqual([true, true]);
    const { body } = await service.call<{ name: string }[]>("/users", { cookie: two.cookie });
    expect(namesOf(body)).not.toContain(one.name);
    await calls.unblock(one, two);
    expect([await calls.finds(two, one), await calls.finds(one, two)]).toEqual([true, true]);
  });

  it("works for a person who was never a friend", async () => {
    const [one, two] = [await registerUser(service), await registerUser(service)];
    await calls.block(one, two);
    expect(await calls.add(two, one)).toMatchObject(NOT_ADDED);
    await calls.unblock(one, two);
    expect((await calls.add(two, one)).status).toBe(200);
  });

  it("by both at once takes both to end", async () => {
    for (let round = 0; round < 2; round += 1) {
      const { one, two, threadId } = await calls.aPair();
      const both = await Promise.all([calls.block(one, two), calls.block(two, one)]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect(ended(threadId).length).toBeGreaterThan(0);
      await calls.unblock(one, two);
      expect(await calls.add(one, two)).toMatchObject(NOT_ADDED);
      expect(namesOf(await calls.blocked(two))).toEqual([one.name]);
      await calls.unblock(two, one);
      expect((await calls.add(one, two)).status).toBe(200);
    }
  });

  it("wins over an addition at the same moment", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [one, two] = [await registerUser(service), await registerUser(service)];
      const [, added] = await Promise.all([calls.block(one, two), calls.add(two, one)]);
      expect([200, 403]).toContain(added.status);
      expect([await calls.friends(one), await calls.friends(two)]).toEqual([[], []]);
      expect(await calls.add(two, one)).toMatchObject(NOT_ADDED);
    }
  });

  it("can be repeated by a user who has blocked as many people as possible, and refuses the next one", async () => {
    const [one, two, three] = [await registerUser(service), await registerUser(service), await registerUser(service)];
    const rows = Array.from({ length: BLOCKED_MAX - 1 }, (_, index) => ({
      _id: `${one.id}-${index}`,
      pair_key: `${one.id}:somebody-${index}`,
      user_ids: [],
      created_at: new Date(),
      blocked_by: [one.id],
      blocked: [`somebody-${index}`],
    }));
    await service.connection.collection("friendships").insertMany(rows as never);
    expect((await calls.block(one, two)).status).toBe(200);
    expect((await calls.block(one, two)).status).toBe(200);
    const error = "You have already blocked 1000 people";
    expect(await calls.block(one, three)).toMatchObject({ status: 409, body: { error } });
  });

  it("refuses oneself and unknown users", async () => {
    const one = await registerUser(service);
    expect((await calls.block(one, one)).status).toBe(400);
    expect((await calls.block(one, { ...one, id: "000000000000000000000000" })).status).toBe(404);
  });
});

describe("who may add me", () => {
  it("is everyone at first; nobody hides the user and refuses new friends, but keeps existing ones", async () => {
    const { one, two } = await calls.aPair();
    const other = await registerUser(service);
    const setting = async () => (await service.call(`/users/${one.id}/privacy`, { cookie: one.cookie })).body;
    expect(await setting()).toEqual({ who_may_add: "everyone" });
    expect((await calls.allow(one, "strangers")).status).toBe(400);
    expect((await calls.allow(one, "nobody")).body).toEqual({ who_may_add: "nobody" });
    expect(await setting()).toEqual({ who_may_add: "nobody" });
    expect(await calls.add(other, one)).toMatchObject(NOT_ADDED);
    expect([await calls.finds(other, one), await calls.finds(one, one)]).toEqual([false, true]);
    expect((await calls.add(two, one)).status).toBe(200);
    expect((await calls.add(one, other)).status).toBe(200);
    await calls.allow(one, "everyone");
    expect(await calls.finds(other, one)).toBe(true);
  });

  it("counts also for a call that waits for its turn when the user changes it to nobody", async () => {
    const [one, other] = [await registerUser(service), await registerUser(service)];
    const model = service.connection.model("Friendship");
    const { startSession } = model;
    const spy = jest.spyOn(model, "startSession").mockImplementationOnce(async (...args) => {
      expect((await calls.allow(one, "nobody")).status).toBe(200);
      return startSession.apply(model, args);
    });
    expect(await calls.add(other, one)).toMatchObject(NOT_ADDED);
    spy.mockRestore();
    expect(await calls.friends(one)).toEqual([]);
    expect((await calls.add(one, other)).status).toBe(200);
  });
});

describe("a friend's flags", () => {
  it("are a notice for the user who was added, until it is answered or the user adds the other", async () => {
    const { one, two } = await calls.aPair();
    expect(await calls.friends(two)).toMatchObject([{ id: one.id, has_notice: true }]);
    expect(await calls.friends(one)).toEqual([{ id: two.id, name: two.name, avatar_id: "fox-id" }]);
    await calls.change(one, two, { has_notice: false });
    expect(await calls.friends(two)).toMatchObject([{ has_notice: true }]);
    await calls.change(two, one, { has_notice: false });
    expect(await calls.friends(two)).toEqual([{ id: one.id, name: one.name, avatar_id: "fox-id" }]);
    await calls.unfriend(one, two);
    await calls.add(one, two);
    expect(await calls.friends(two)).toMatchObject([{ has_notice: true }]);
    await calls.add(two, one);
    expect((await calls.friends(two))[0]).not.toHaveProperty("has_notice");
  });

  it("mute one side only, reach the user's other devices and need a friendship", async () => {
    const { one, two } = await calls.aPair();
    await calls.change(one, two, { is_muted: true });
    expect(await calls.friends(one)).toMatchObject([{ id: two.id, is_muted: true }]);
    expect((await calls.friends(two))[0]).not.toHaveProperty("is_muted");
    expect(service.published.at(-1)).toMatchObject([
      `user:${one.id}`,
      { type: "friend_changed", friend_id: two.id, is_muted: true, has_notice: false },
    ]);
    await calls.change(one, two, { is_muted: false });
    expect((await calls.friends(one))[0]).not.toHaveProperty("is_muted");
    await calls.unfriend(one, two);
    expect(await calls.change(one, two, { is_muted: true })).toMatchObject({ status: 404 });
  });

  it("reach the devices of both when the friendship begins again", async () => {
    const { one, two } = await calls.aPair();
    for (const [user, friend] of [[one, two] as const, [two, one] as const])
      await calls.change(user, friend, { is_muted: true });
    await calls.unfriend(one, two);
    const before = service.published.length;
    await calls.add(one, two);
    const changes = service.published.slice(before).filter(([, { type }]) => type === "friend_changed");
    expect(changes).toEqual([
      [`user:${two.id}`, expect.objectContaining({ friend_id: one.id, is_muted: true, has_notice: true })],
      [`user:${one.id}`, expect.objectContaining({ friend_id: two.id, is_muted: true, has_notice: false })],
    ]);
  });

  it("are absent from friendships of an earlier release, which stay as they are", async () => {
    const [one, two] = [await registerUser(service), await registerUser(service)];
    const user_ids = [one.id, two.id].sort();
    const row = { _id: "old", pair_key: user_ids.join(":"), user_ids, created_at: new Date() };
    await service.connection.collection("friendships").insertOne(row as never);
    expect(await calls.friends(one)).toEqual([{ id: two.id, name: two.name, avatar_id: "fox-id" }]);
    expect((await calls.add(one, two)).body.thread_id).toBe("old");
    await calls.block(one, two);
    await calls.unblock(one, two);
    expect((await calls.add(two, one)).body.thread_id).toBe("old");
  });
});
