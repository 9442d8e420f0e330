import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import { listChanges, registerUser, serveUsers, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
const aUser = (name?: string) => registerUser(service, name);

describe("friends", () => {
  const add = (user: { id: string; cookie: string }, friend_id: unknown) =>
    service.call<{ thread_id: string }>("/add_friend", {
      method: "POST",
      cookie: user.cookie,
      body: { user_id: user.id, friend_id },
    });

  it("are mutual and share one thread, in whatever direction and however often they are added", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const responses = await Promise.all([add(one, two.id), add(two, one.id), add(one, two.id)]);
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
    const thread_id = responses[0]?.body.thread_id;
    expect(thread_id).toEqual(expect.any(String));
    const [toTwo, toOne] = [two.id, one.id].map((friend_id) => ({ friend_id, thread_id }));
    expect(responses.map((response) => response.body)).toEqual([toTwo, toOne, toTwo]);
    const friendsOf = async (user: typeof one) =>
      (await service.call(`/friends/${user.id}`, { cookie: user.cookie })).body;
    expect(await friendsOf(one)).toEqual([{ id: two.id, name: two.name, avatar_id: "fox-id" }]);
    expect(await friendsOf(two)).toEqual([{ id: one.id, name: one.name, avatar_id: "fox-id" }]);
  });

  it("are limited to 1,000 per user, in both directions", async () => {
    const [full, known, one] = [await aUser(), await aUser(), await aUser()];
    expect((await add(full, known.id)).status).toBe(200);
    const rows = Array.from({ length: FRIENDS_MAX - 1 }, (_, index) => {
      const user_ids = [full.id, `somebody-${index}`];
      return { _id: `${full.id}-${index}`, pair_key: user_ids.join(":"), user_ids, created_at: new Date() };
    });
    await service.connection.collection("friendships").insertMany(rows as never);
    expect(await add(full, one.id)).toMatchObject({ status: 409, body: { error: "You already have 1000 friends" } });
    expect(await add(one, full.id)).toMatchObject({
      status: 409,
      body: { error: "This user already has too many friends" },
    });
    expect((await add(full, known.id)).status).toBe(200);
  });

  it("stay within 1,000 per user if 100 calls add the last one at once, in both directions", async () => {
    const [full, other] = [await aUser(), await aUser()];
    for (const user of [full, other]) {
      const rows = Array.from({ length: FRIENDS_MAX - 3 }, (_, index) => {
        const user_ids = [user.id, `somebody-${index}`];
        return { _id: `${user.id}-${index}`, pair_key: user_ids.join(":"), user_ids, created_at: new Date() };
      });
      await service.connection.collection("friendships").insertMany(rows as never);
    }
    const strangers = await Promise.all(Array.from({ length: 25 }, () => aUser()));
    const calls = strangers.flatMap((one) => [
      add(full, one.id),
      add(one, full.id),
      add(other, one.id),
      add(one, other.id),
    ]);
    const statuses = (await Promise.all([...calls, add(full, other.id)])).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([200, 409]);
    for (const user of [full, other]) {
      expect(await service.connection.collection("friendships").countDocuments({ user_ids: user.id })).toBe(
        FRIENDS_MAX,
      );
    }
  });

  it("are announced to each other with the starting message of their thread", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const { thread_id } = (await add(one, two.id)).body;
    expect(service.published.slice(-3)).toMatchObject([
      [`user:${two.id}`, { friend: { id: one.id }, message_thread: { thread_id, friendParticipantId: one.id } }],
      [`user:${one.id}`, { friend: { id: two.id }, message_thread: { thread_id, messages: [{ seq: 0, text: "" }] } }],
      [`user:${two.id}`, { type: "friend_changed", friend_id: one.id, has_notice: true, is_muted: false }],
    ]);
  });

  it("are announced to other services, which cache lists of threads, at the beginning", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const { thread_id } = (await add(one, two.id)).body;
    const change = { thread_id, user_ids: [one.id, two.id].sort(), is_friends: true };
    const event = service.published.findLast(([channel]) => channel === "friendships")?.[1];
    expect(event).toMatchObject({ type: "friendship_changed", change });
    expect(event).toMatchObject((await listChanges(service)).changes.at(-1) as object);
  });

  it("cannot be oneself, an unknown user or an operator object", async () => {
    const one = await aUser();
    const responseTo = async (friend_id: unknown) => {
      const { status, body } = await add(one, friend_id);
      return [status, body];
    };
    expect(await responseTo(one.id)).toEqual([400, { error: "You cannot add yourself" }]);
    expect(await responseTo("000000000000000000000000")).toEqual([404, { error: "This user does not exist" }]);
    expect(await responseTo({ $ne: null })).toEqual([400, { error: expect.stringMatching(/id must be text/) }]);
    expect((await service.call(`/friends/${one.id}`, { cookie: one.cookie })).body).toEqual([]);
  });
});
