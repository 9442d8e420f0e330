import { PASSWORD, registerUser, serveUsers, type TestService, type TestUser } from "../../testing/service.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

let counter = 0;
/** Returns a name that looks like no other name of this file. */
const aName = () => `Rowena${++counter}`;
const rename = (user: TestUser, name: unknown) =>
  service.call(`/users/${user.id}/name`, { method: "PUT", cookie: user.cookie, body: { name } });
const register = (name: string) =>
  service.call("/users", { method: "POST", body: { name, password: PASSWORD, avatar_id: "fox-id" } });
const TAKEN = { status: 409, body: { error: "This username is already taken" } };

/** Moves the end of the user's held names into the past. */
async function endHeldNames({ id }: TestUser): Promise<void> {
  const users = service.connection.collection<{ _id: string; held_names: { until: number }[] }>("users");
  await users.updateOne({ _id: id }, { $set: { "held_names.$[].until": new Date(Date.now() - 1_000) } });
}

describe("a name", () => {
  it("is changed by its user, in the profile, the log-in and the events to friends", async () => {
    const [one, friend, name] = [await registerUser(service, aName()), await registerUser(service, aName()), aName()];
    const befriend = { method: "POST", cookie: one.cookie, body: { user_id: one.id, friend_id: friend.id } };
    await service.call("/add_friend", befriend);
    const before = service.published.length;
    const user = { id: one.id, name, avatar_id: "fox-id" };
    expect(await rename(one, ` ${name} `)).toMatchObject({ status: 200, body: user });
    expect(service.published.slice(before)).toMatchObject([
      [`user:${one.id}`, { type: "user_updated", user }],
      [`user:${friend.id}`, { type: "user_updated", user }],
    ]);
    const profile = await service.call(`/users/${one.id}/profile`, { cookie: one.cookie });
    expect(profile.body).toEqual({ ...user, created_at: expect.stringMatching(/^2\d{3}-.*Z$/) });
    const logIn = (as: string) => service.call("/login", { method: "POST", body: { name: as, password: PASSWORD } });
    expect((await logIn(one.name)).status).toBe(401);
    expect(await logIn(name)).toMatchObject({ status: 200, body: user });
    expect((await service.call(`/friends/${friend.id}`, { cookie: friend.cookie })).body).toMatchObject([user]);
  });

  it("follows the rules of the registration", async () => {
    const [one, other] = [await registerUser(service, aName()), await registerUser(service, aName())];
    for (const [name, error] of [
      ["", "Username is required"],
      ["x".repeat(31), "Username must have at most 30 characters"],
      ["a\u200bb", "Username contains invalid characters"],
      [{ $ne: "" }, "Username must be text"],
    ]) {
      expect(await rename(one, name)).toMatchObject({ status: 400, body: { error } });
    }
    expect(await rename(one, other.name.toUpperCase())).toMatchObject(TAKEN);
    expect(await rename(one, other.name.replace("o", "\u043e"))).toMatchObject(TAKEN);
  });

  it("is kept from others for 30 days after a change, also in a form that looks the same", async () => {
    const [one, other, next] = [await registerUser(service, aName()), await registerUser(service, aName()), aName()];
    expect((await rename(one, next)).status).toBe(200);
    const alike = one.name.replace("o", "\u043e");
    for (const name of [one.name, one.name.toLowerCase(), alike]) {
      expect(await register(name)).toMatchObject(TAKEN);
      expect(await rename(other, name)).toMatchObject(TAKEN);
    }
    const stored = service.connection.collection<{ _id: string; held_names: { until: Date }[] }>("users");
    const until = (await stored.findOne({ _id: one.id }))?.held_names[0]?.until.getTime() ?? 0;
    expect(Math.round((until - Date.now()) / DAY_MS)).toBe(30);
    await endHeldNames(one);
    expect((await register(alike)).status).toBe(200);
    expect(await register(next)).toMatchObject(TAKEN);
  });

  it("can be changed back to a former one, and in its case only", async () => {
    const one = await registerUser(service, aName());
    expect((await rename(one, aName())).status).toBe(200);
    expect((await rename(one, one.name)).body).toMatchObject({ name: one.name });
    expect((await rename(one, one.name.toUpperCase())).body).toMatchObject({ name: one.name.toUpperCase() });
  });

  it("can be changed by the user of an older account that looks the same as another", async () => {
    const [first, second] = [await registerUser(service, aName()), await registerUser(service, aName())];
    const alike = first.name.replace("o", "\u043e");
    const users = service.connection.collection<{ _id: string; name_skeletons: string[] }>("users");
    const stored = { $set: { name: alike, name_key: alike.toLowerCase() }, $unset: { name_skeletons: 1 } as const };
    await users.updateOne({ _id: second.id }, stored);
    const next = aName();
    expect(await rename(second, next)).toMatchObject({ status: 200, body: { name: next } });
    expect(await register(next)).toMatchObject(TAKEN);
    expect(await register(first.name)).toMatchObject(TAKEN);
  });

  it("goes to one of several users who take it at the same time", async () => {
    const name = aName();
    const users = await Promise.all([0, 1, 2].map(() => registerUser(service, aName())));
    const responses = await Promise.all([...users.map((user) => rename(user, name)), register(name)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it("can be changed three times in 30 days", async () => {
    const one = await registerUser(service, aName());
    for (let count = 0; count < 3; count += 1) expect((await rename(one, aName())).status).toBe(200);
    const refused = await rename(one, aName());
    expect(refused).toMatchObject({
      status: 429,
      body: { error: "You have changed your name too often. Please try again in 30 days" },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(29 * 24 * 60 * 60);
    await endHeldNames(one);
    expect((await rename(one, aName())).status).toBe(200);
  });
});
