import {
  PASSWORD,
  registerUser,
  serveUsers,
  TEST_SECRET,
  type TestService,
  type TestUser,
} from "../../testing/service.ts";
import type { Passwords } from "../passwords/passwords.ts";

/** Runs once, after the next correct password was checked. */
let afterMatch: (() => Promise<void>) | undefined;
let service: TestService;
beforeAll(async () => {
  const wrapPasswords = (passwords: Passwords): Passwords => ({
    ...passwords,
    async matches(...args) {
      const result = await passwords.matches(...args);
      const run = afterMatch;
      afterMatch = undefined;
      await run?.();
      return result;
    },
  });
  service = await serveUsers({}, { wrapPasswords });
});
afterAll(() => service.close());

let counter = 0;
const aUser = () => registerUser(service, `Myrtle${++counter}`);
const deleteAccount = (user: TestUser, body: object = {}) =>
  service.call(`/users/${user.id}/deletion`, {
    method: "POST",
    cookie: user.cookie,
    body: { password: PASSWORD, texts: "remove", ...body },
  });
const add = (user: TestUser, friend_id: string) =>
  service.call<{ thread_id: string }>("/add_friend", {
    method: "POST",
    cookie: user.cookie,
    body: { user_id: user.id, friend_id },
  });
const internal = <Body>(path: string, method = "GET") =>
  service.call<Body>(path, { method, headers: { "x-internal-secret": TEST_SECRET } });
const listed = async ({ id }: TestUser) =>
  (await internal<{ deletions: { user_id: string }[] }>("/internal/deletions")).body.deletions.find(
    ({ user_id }) => user_id === id,
  );
/** Polls until svc-users lists a deletion, and returns it. */
async function untilListed(user: TestUser) {
  for (;;) {
    const entry = await listed(user);
    if (entry) return entry;
  }
}
const threadOf = async (threadId: string) =>
  (await internal<{ thread: unknown }>(`/internal/threads/${threadId}`)).body.thread;
const users = () => service.connection.collection<{ _id: string }>("users");
const DELETED = { name: "Deleted account", avatar_id: "deleted" };

describe("the deletion of an account", () => {
  it("needs the password and a choice for the messages", async () => {
    const user = await aUser();
    const wrong = await deleteAccount(user, { password: "not this one" });
    expect(wrong).toMatchObject({ status: 403, body: { error: "Your password is wrong" } });
    expect((await deleteAccount(user, { texts: "burn" })).status).toBe(400);
    expect((await service.call(`/users/${user.id}`, { cookie: user.cookie })).status).toBe(200);
    expect(await listed(user)).toBeUndefined();
  });

  it("signs the user out everywhere at once, and no log-in is possible", async () => {
    const user = await aUser();
    const logIn = () => service.call("/login", { method: "POST", body: { name: user.name, password: PASSWORD } });
    const elsewhere = (await logIn()).cookie;
    const before = service.published.length;
    expect((await deleteAccount(user)).status).toBe(200);
    for (const cookie of [user.cookie, elsewhere]) {
      expect((await service.call(`/users/${user.id}`, { cookie })).status).toBe(401);
    }
    const ended = service.published.slice(before).filter(([channel]) => channel === "sessions");
    expect(ended).toHaveLength(2);
    expect((await logIn()).status).toBe(401);
    const row = await users().findOne({ _id: user.id });
    expect(row).not.toHaveProperty("password_hash");
    expect(JSON.stringify(row)).not.toContain(`"name":"${user.name}"`);
  });

  it("leaves friends a closed thread with a deleted account, and hides the account from searches", async () => {
    const [user, friend] = [await aUser(), await aUser()];
    const { thread_id } = (await add(user, friend.id)).body;
    const before = service.published.length;
    await deleteAccount(user);
    const deleted = { id: user.id, ...DELETED };
    expect(service.published.slice(before)).toContainEqual([
      `user:${friend.id}`,
      expect.objectContaining({ type: "user_updated", user: deleted }),
    ]);
    expect((await service.call(`/friends/${friend.id}`, { cookie: friend.cookie })).body).toEqual([deleted]);
    expect(await threadOf(thread_id)).toMatchObject({
      thread_id,
      is_closed: true,
    });
    expect((await service.call("/users?search=deleted", { cookie: friend.cookie })).body).toEqual([]);
    const stranger = await aUser();
    expect(await add(stranger, user.id)).toMatchObject({ status: 404, body: { error: "This user does not exist" } });
  });

  it("removes the name from friendships that ended before", async () => {
    const [user, friend] = [await aUser(), await aUser()];
    const { thread_id } = (await add(user, friend.id)).body;
    await service.call(`/friends/${user.id}/${friend.id}`, { method: "DELETE", cookie: user.cookie });
    await deleteAccount(user);
    const { former_friends } = (await internal<{ former_friends: object[] }>(`/internal/users/${friend.id}/data`)).body;
    expect(former_friends).toEqual([{ id: user.id, name: DELETED.name, thread_id }]);
  });

  it("leaves svc-messages the list of former friends, about whose threads the user may have kept a draft", async () => {
    const [user, friend] = [await aUser(), await aUser()];
    const { thread_id } = (await add(user, friend.id)).body;
    await service.call(`/friends/${user.id}/${friend.id}`, { method: "DELETE", cookie: user.cookie });
    await deleteAccount(user);
    const { former_friends } = (await internal<{ former_friends: object[] }>(`/internal/users/${user.id}/data`)).body;
    expect(former_friends).toEqual([{ id: friend.id, name: friend.name, thread_id }]);
  });

  it("removes the name that the end of a friendship stored at the same moment", async () => {
    const [user, friend] = [await aUser(), await aUser()];
    const { thread_id } = (await add(user, friend.id)).body;
    await service.call(`/friends/${user.id}/${friend.id}`, { method: "DELETE", cookie: user.cookie });
    await deleteAccount(user);
    type Pair = { _id: string; former: { user_id: string; name: string }[] };
    const friendships = service.connection.collection<Pair>("friendships");
    await friendships.updateOne(
      { _id: thread_id, "former.user_id": user.id },
      { $set: { "former.$.name": user.name } },
    );
    const names = async () => (await friendships.findOne({ _id: thread_id }))?.former.map(({ name }) => name);
    expect(await names()).toContain(user.name);
    await internal(`/internal/deletions/${user.id}/done`, "POST");
    expect((await names())?.sort()).toEqual(["Deleted account", friend.name]);
  });

  it("removes whom the user has blocked and muted, but no block by others", async () => {
    const user = await aUser();
    const [muted, former, blocked, blocker] = [await aUser(), await aUser(), await aUser(), await aUser()];
    const friendships = service.connection.collection<{ pair_key: string }>("friendships");
    const pairWith = (other: TestUser) => friendships.findOne({ pair_key: [user.id, other.id].sort().join(":") });
    const put = ({ cookie }: TestUser, path: string, body = {}) => service.call(path, { method: "PUT", cookie, body });
    for (const friend of [muted, former]) {
      await add(user, friend.id);
      await put(user, `/friends/${user.id}/${friend.id}`, { is_muted: true });
      await put(friend, `/friends/${friend.id}/${user.id}`, { is_muted: true });
    }
    await service.call(`/friends/${user.id}/${former.id}`, { method: "DELETE", cookie: user.cookie });
    for (const other of [blocked, blocker]) await put(user, `/users/${user.id}/blocked/${other.id}`);
    await put(blocker, `/users/${blocker.id}/blocked/${user.id}`);
    expect((await deleteAccount(user)).status).toBe(200);
    for (const friend of [muted, former]) expect(await pairWith(friend)).toMatchObject({ muted_by: [friend.id] });
    expect(await pairWith(blocked)).toMatchObject({ blocked_by: [], blocked: [] });
    expect(await pairWith(blocker)).toMatchObject({ blocked_by: [blocker.id], blocked: [user.id] });
  });

  it("wins over a change of the name at the same moment", async () => {
    const user = await aUser();
    const model = service.connection.model("User");
    const { findById } = model;
    const spy = jest.spyOn(model, "findById").mockImplementationOnce(((...args: Parameters<typeof findById>) => ({
      async lean() {
        expect((await deleteAccount(user)).status).toBe(200);
        return findById.apply(model, args).lean();
      },
    })) as never);
    const rename = { method: "PUT", cookie: user.cookie, body: { name: `New${user.name}` } };
    expect((await service.call(`/users/${user.id}/name`, rename)).status).toBe(404);
    spy.mockRestore();
    expect(await users().findOne({ _id: user.id })).toMatchObject({ name: "Deleted account" });
  });

  it("keeps the name that the account got while the password was checked", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const rename = ({ id, cookie }: TestUser, name: string) =>
      service.call(`/users/${id}/name`, { method: "PUT", cookie, body: { name } });
    const newest = `Newest${user.name}`;
    afterMatch = async () => expect((await rename(user, newest)).status).toBe(200);
    expect((await deleteAccount(user)).status).toBe(200);
    for (const name of [user.name, newest]) expect((await rename(other, name)).status).toBe(409);
  });

  it("keeps no name from the older account that has its skeletons", async () => {
    const [first, second, third] = [await aUser(), await aUser(), await aUser()];
    const alike = [first.name.replace("y", "\u0443"), first.name.replace("e", "\u0435")];
    for (const [index, user] of [second, third].entries()) {
      const stored = { name: alike[index], name_key: alike[index]?.toLowerCase() };
      await users().updateOne({ _id: user.id }, { $set: stored, $unset: { name_skeletons: 1 } });
      expect((await deleteAccount(user)).status).toBe(200);
    }
    const rename = { method: "PUT", cookie: first.cookie, body: { name: first.name.toUpperCase() } };
    expect((await service.call(`/users/${first.id}/name`, rename)).status).toBe(200);
  });

  it("frees the name after 30 days", async () => {
    const user = await aUser();
    await deleteAccount(user);
    const register = () =>
      service.call("/users", { method: "POST", body: { name: user.name, password: PASSWORD, avatar_id: "fox-id" } });
    expect((await register()).status).toBe(409);
    await users().updateOne({ _id: user.id }, { $set: { "held_names.$[].until": new Date(Date.now() - 1_000) } });
    expect((await register()).status).toBe(200);
  });

  it("is listed for svc-messages until it has done its part", async () => {
    const user = await aUser();
    await deleteAccount(user, { texts: "keep" });
    const entry = { user_id: user.id, texts: "keep" };
    expect(await listed(user)).toEqual({ ...entry, is_open: true });
    for (let count = 0; count < 2; count += 1) {
      expect((await internal(`/internal/deletions/${user.id}/done`, "POST")).status).toBe(200);
      expect(await listed(user)).toEqual({ ...entry, is_open: false });
    }
    const past = new Date(Date.now() - 61_000);
    await users().updateOne({ _id: user.id }, { $set: { "deletion.finished_at": past } });
    expect(await listed(user)).toBeUndefined();
  });

  it("continues after a crash that left sessions and threads open", async () => {
    const [user, friend] = [await aUser(), await aUser()];
    const { thread_id } = (await add(user, friend.id)).body;
    const updateMany = jest
      .spyOn(service.connection.model("Friendship"), "updateMany")
      .mockRejectedValueOnce(new Error("the process ended here") as never);
    expect((await deleteAccount(user)).status).toBe(500);
    updateMany.mockRestore();
    expect((await service.call(`/users/${user.id}`, { cookie: user.cookie })).status).toBe(401);
    expect(await threadOf(thread_id)).not.toHaveProperty("is_closed");
    expect(await untilListed(user)).toMatchObject({ is_open: true });
    expect(await threadOf(thread_id)).toMatchObject({ is_closed: true });
    const row = await service.connection.collection("sessions").findOne({ user_id: user.id });
    expect(row).toHaveProperty("ended_at");
  });

  it("delays no other account if a step fails, and is listed once its threads are closed", async () => {
    const [failing, other, friend] = [await aUser(), await aUser(), await aUser()];
    const threadIds: string[] = [];
    for (const user of [failing, other]) threadIds.push((await add(user, friend.id)).body.thread_id);
    const model = service.connection.model("Friendship");
    const { updateMany } = model;
    const fails = jest.spyOn(model, "updateMany").mockRejectedValue(new Error("the database failed") as never);
    for (const user of [failing, other]) expect((await deleteAccount(user)).status).toBe(500);
    fails.mockImplementation(((...args: Parameters<typeof updateMany>) => {
      if (JSON.stringify(args[0]).includes(failing.id)) return Promise.reject(new Error("the database failed"));
      return updateMany.apply(model, args);
    }) as never);
    expect(await untilListed(other)).toMatchObject({ is_open: true });
    expect(await listed(failing)).toBeUndefined();
    fails.mockRestore();
    expect(await untilListed(failing)).toMatchObject({ is_open: true });
    for (const id of threadIds) expect(await threadOf(id)).toMatchObject({ is_closed: true });
  });
});
