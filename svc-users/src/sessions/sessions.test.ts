import { Writable } from "node:stream";
import { createLogger } from "@messageoh/service-kit/logger";
import bcrypt from "bcrypt";
import { listChanges, PASSWORD, registerUser, serveUsers, type TestUser } from "../../testing/service.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
let service: Awaited<ReturnType<typeof serveUsers>>;
/** A second service on the same database. It can pause after it has compared a password. */
let held: typeof service;
let hold: (() => Promise<void>) | undefined;
beforeAll(async () => {
  service = await serveUsers();
  held = await serveUsers(
    {},
    {
      connection: service.connection,
      wrapPasswords: (passwords) => ({
        ...passwords,
        async matches(...input) {
          const isCorrect = await passwords.matches(...input);
          const wait = hold;
          hold = undefined;
          await wait?.();
          return isCorrect;
        },
      }),
    },
  );
});
afterAll(async () => {
  await held.close();
  await service.close();
});
function holdComparison() {
  const [compared, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = () => {
    compared.resolve();
    return resume.promise;
  };
  return { held, compared: compared.promise, resume: resume.resolve };
}

const aUser = (on = service) => registerUser(on);
const logIn = ({ name }: TestUser, { password = PASSWORD, cookie = "", on = service } = {}) =>
  on.call("/login", { method: "POST", body: { name, password }, cookie });
/** Returns the name of a cookie that a response sets, and the cookie as the browser sends it. */
const nameAndPair = (set: string): [string, string] => [set.split("=")[0] ?? "", set.split(";")[0] ?? ""];
const statusOf = async ({ id }: TestUser, cookie: string) => (await service.call(`/users/${id}`, { cookie })).status;
async function rowOf({ id }: TestUser) {
  const row = await service.connection.collection("sessions").findOne({ user_id: id });
  if (!row) throw new Error("There is no session");
  return row;
}
const shiftTimes = (user: TestUser, fields: Record<string, number>) => {
  const $set = Object.fromEntries(
    Object.entries(fields).map(([name, days]) => [name, new Date(Date.now() + days * DAY_MS)]),
  );
  return service.connection.collection("sessions").updateMany({ user_id: user.id }, { $set });
};

describe("a log-in", () => {
  it("fails if the password changes while it is checked", async () => {
    const { held, compared, resume } = holdComparison();
    const user = await aUser(held);
    const logsIn = logIn(user, { on: held });
    await compared;
    const change = await held.call(`/users/${user.id}/password`, {
      method: "POST",
      cookie: user.cookie,
      body: { old_password: "phoenix!", new_password: "a new phoenix" },
    });
    resume();
    const { status, cookie } = await logsIn;
    const active = await service.connection
      .collection("sessions")
      .countDocuments({ user_id: user.id, ended_at: { $exists: false } });
    expect([change.status, status, cookie, active]).toEqual([200, 401, "", 1]);
  });

  it("ends the previous session of the browser, and publishes its end", async () => {
    const user = await aUser();
    const before = service.published.length;
    const { cookie } = await logIn(user, { cookie: user.cookie });
    expect(await statusOf(user, user.cookie)).toBe(401);
    expect(await statusOf(user, cookie)).toBe(200);
    expect(service.published.slice(before)).toMatchObject([["sessions", { type: "session_ended", user_id: user.id }]]);
  });

  it("keeps the browser's session if the password is wrong", async () => {
    const user = await aUser();
    await logIn(user, { cookie: user.cookie, password: "wrong" });
    expect(await statusOf(user, user.cookie)).toBe(200);
  });

  it("ends the least recently used session above 100", async () => {
    const user = await aUser();
    await shiftTimes(user, { last_used_at: -1 });
    const first = await rowOf(user);
    const more = Array.from({ length: 99 }, (_, n) => ({
      ...first,
      _id: `${user.id}-${n}`,
      public_id: `${user.id}${n}`,
      last_used_at: new Date(),
    }));
    await service.connection.collection("sessions").insertMany(more as never);
    expect(await statusOf(user, user.cookie)).toBe(200);
    await service.connection
      .collection("sessions")
      .updateOne({ _id: first._id as never }, { $set: { last_used_at: new Date(0) } });
    const { cookie } = await logIn(user);
    expect(await statusOf(user, user.cookie)).toBe(401);
    expect((await service.call(`/sessions/${user.id}`, { cookie })).body).toHaveLength(100);
  });

  it("upgrades a hash with a lower cost than the configured one", async () => {
    const user = await aUser();
    const users = service.connection.collection("users");
    const cheap = await bcrypt.hash("phoenix!", 4);
    const costly = await serveUsers({}, { cost: 5, connection: service.connection });
    await users.updateOne({ name: user.name }, { $set: { password_hash: cheap } });
    expect((await logIn(user, { on: costly })).status).toBe(200);
    let hash = cheap;
    while (hash === cheap) hash = (await users.findOne({ name: user.name }))?.password_hash;
    expect(bcrypt.getRounds(hash)).toBe(5);
    expect((await logIn(user, { on: costly })).status).toBe(200);
    await costly.close();
  });

  it("is logged with address and a hash of the name if it fails", async () => {
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    const logged = await serveUsers({}, { logger: createLogger("test", "info", stream) });
    const fail = (name: string) =>
      logged.call("/login", {
        method: "POST",
        body: { name, password: "wrong" },
        headers: { "x-forwarded-for": "203.0.113.77" },
      });
    await fail("Gilderoy");
    await fail("GILDEROY");
    await fail("Quirinus");
    await logged.close();
    const failures = lines.filter(({ msg }) => msg === "log-in failed");
    expect(failures.map(({ address }) => address)).toEqual(["203.0.113.77", "203.0.113.77", "203.0.113.77"]);
    const [one, same, other] = failures.map(({ name_hash }) => name_hash);
    expect(one).toMatch(/^[\da-f]{16}$/);
    expect([same === one, other === one]).toEqual([true, false]);
    expect(JSON.stringify(lines)).not.toMatch(/gilderoy|wrong"/i);
  });
});

describe("a session", () => {
  it("is listed for other services when it has ended", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const row = await rowOf(user);
    await service.call("/logout", { method: "POST", cookie: user.cookie });
    const page = await listChanges(service, new Date(Date.now() - 5_000).toISOString());
    const ended = { type: "session_ended", session_id: row.public_id, user_id: user.id };
    expect(page.changes).toContainEqual(ended);
    expect(JSON.stringify(page)).not.toContain((await rowOf(other)).public_id);
    expect(page.has_more).toBe(false);
    const kept = await rowOf(user);
    expect(page.until >= (kept.ended_at as Date).toISOString()).toBe(true);
    // The document remains long enough for all services to read it.
    expect((kept.expires_at as Date).getTime()).toBeGreaterThan(Date.now() + 0.9 * DAY_MS);
    expect((await listChanges(service)).changes).toContainEqual(ended);
  });

  it("ends after 180 days, even if it is in use", async () => {
    const user = await aUser();
    await shiftTimes(user, { created_at: -179, last_used_at: -1, expires_at: 1 });
    expect(await statusOf(user, user.cookie)).toBe(200);
    const row = await rowOf(user);
    expect(Math.round(((row.expires_at as Date).getTime() - Date.now()) / DAY_MS)).toBe(1);
    await shiftTimes(user, { created_at: -181 });
    expect(await statusOf(user, user.cookie)).toBe(401);
  });

  it("ends after 30 days without use; use extends it", async () => {
    const user = await aUser();
    await shiftTimes(user, { created_at: -40, last_used_at: -29, expires_at: 1 });
    expect(await statusOf(user, user.cookie)).toBe(200);
    const row = await rowOf(user);
    expect(Math.round(((row.expires_at as Date).getTime() - Date.now()) / DAY_MS)).toBe(30);
    await shiftTimes(user, { expires_at: -0.001 });
    expect(await statusOf(user, user.cookie)).toBe(401);
  });

  it("ends after 30 days without use also if more days were allowed when it was used", async () => {
    const user = await aUser();
    await shiftTimes(user, { created_at: -40, last_used_at: -29, expires_at: 61 });
    expect(await statusOf(user, user.cookie)).toBe(200);
    await shiftTimes(user, { last_used_at: -31, expires_at: 59 });
    expect(await statusOf(user, user.cookie)).toBe(401);
  });

  it("has a cookie that lasts as long as the session may, so it needs no renewal", async () => {
    const user = await aUser();
    const { headers } = await logIn(user);
    const [set = ""] = headers.getSetCookie();
    expect(set).toMatch(/^messageoh_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(Number(/Max-Age=(\d+)/.exec(set)?.[1])).toBe((180 * DAY_MS) / 1_000);
  });

  it("is not put back by a response that arrives after a newer log-in of the browser", async () => {
    const user = await aUser();
    await shiftTimes(user, { created_at: -10, last_used_at: -2 });
    const late = await service.call(`/users/${user.id}`, { cookie: user.cookie });
    const newer = await logIn(user, { cookie: user.cookie });
    const jar = new Map([newer, late].flatMap(({ headers }) => headers.getSetCookie()).map(nameAndPair));
    expect(await statusOf(user, [...jar.values()].join("; "))).toBe(200);
  });

  it("is looked up once for simultaneous requests, which all fail if it ends meanwhile", async () => {
    const user = await aUser();
    const other = await service.call("/login", { method: "POST", body: { name: user.name, password: PASSWORD } });
    type Row = { id: string; is_current: boolean };
    const rows = (await service.call<Row[]>(`/sessions/${user.id}`, { cookie: user.cookie })).body;
    const current = rows.find(({ is_current }) => is_current)?.id;
    const users = service.connection.model("User");
    const find = users.find.bind(users);
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const spy = jest.spyOn(users, "find").mockImplementationOnce(((filter: object) => ({
      lean: async () => {
        reached.resolve();
        await gate.promise;
        return find(filter).lean();
      },
    })) as never);
    const calls = Array.from({ length: 50 }, () => statusOf(user, user.cookie));
    await reached.promise;
    const end = await service.call(`/sessions/${user.id}/${current}`, { method: "DELETE", cookie: other.cookie });
    expect(end.status).toBe(200);
    gate.resolve();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([401]));
    spy.mockRestore();
  });

  it("of another browser is over before the password changes, so that a crash cannot leave it", async () => {
    const user = await aUser();
    const { cookie: elsewhere } = await logIn(user);
    const spy = jest.spyOn(service.connection.model("User"), "updateOne").mockImplementationOnce(() => {
      throw new Error("no database");
    });
    const change = await service.call(`/users/${user.id}/password`, {
      method: "POST",
      cookie: user.cookie,
      body: { old_password: "phoenix!", new_password: "a new phoenix" },
    });
    spy.mockRestore();
    const statusOf = async (cookie: string) => (await service.call(`/users/${user.id}`, { cookie })).status;
    expect([change.status, await statusOf(elsewhere), await statusOf(user.cookie)]).toEqual([500, 401, 200]);
  });

  it("cannot change the password after it has ended", async () => {
    const { held, compared, resume } = holdComparison();
    const user = await aUser(held);
    const change = held.call(`/users/${user.id}/password`, {
      method: "POST",
      cookie: user.cookie,
      body: { old_password: "phoenix!", new_password: "a stolen phoenix" },
    });
    await compared;
    await service.call("/logout", { method: "POST", cookie: user.cookie });
    resume();
    expect((await change).status).toBe(401);
    expect((await logIn(user)).status).toBe(200);
  });
});

describe("responses", () => {
  it("are not cached", async () => {
    const user = await aUser();
    for (const path of [`/users/${user.id}`, `/friends/${user.id}`, `/sessions/${user.id}`, "/users"]) {
      const { headers } = await service.call(path, { cookie: user.cookie });
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
  });

  it.each([
    ["POST", () => "/logout"],
    ["DELETE", (id: string) => `/sessions/${id}`],
  ])("to %s leave the cookie of a newer log-in if they arrive late", async (method, pathOf) => {
    const user = await aUser();
    const out = await service.call(pathOf(user.id), { method, cookie: user.cookie });
    const again = await service.call("/login", { method: "POST", body: { name: user.name, password: PASSWORD } });
    // The browser applies the cookies of the responses in the order in which they arrive.
    let cookie = again.cookie;
    for (const set of out.headers.getSetCookie()) cookie = set.split(";")[0] ?? "";
    expect((await service.call(`/users/${user.id}`, { cookie })).status).toBe(200);
    expect((await service.call(`/users/${user.id}`, { cookie: user.cookie })).status).toBe(401);
  });

  it("to log-out clear the browser's cache", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const out = await service.call("/logout", { method: "POST", cookie: one.cookie });
    const all = await service.call(`/sessions/${two.id}`, { method: "DELETE", cookie: two.cookie });
    expect([out, all].map(({ headers }) => headers.get("clear-site-data"))).toEqual(['"cache"', '"cache"']);
  });
});

describe("passwords", () => {
  const register = (name: string, password: string) =>
    service.call("/users", { method: "POST", body: { name, password, avatar_id: "fox-id" } });

  it("are rejected if they are common, at registration and at a change", async () => {
    const common = "This password is too common. Please choose one that is harder to guess";
    expect(await register("Cornelius", "Password1")).toMatchObject({ status: 400, body: { error: common } });
    const user = await aUser();
    const body = { old_password: "phoenix!", new_password: "qwertyuiop" };
    const change = { method: "POST", cookie: user.cookie, body };
    expect(await service.call(`/users/${user.id}/password`, change)).toMatchObject({
      status: 400,
      body: { error: common },
    });
  });

  it("are rejected if they contain only the username", async () => {
    const error = "Your password must not be your username";
    expect(await register("Cornelius", "cornelius42")).toMatchObject({ status: 400, body: { error } });
  });
});
