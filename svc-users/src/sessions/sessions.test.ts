import { Writable } from "node:stream";
import { createLogger } from "@messageoh/service-kit/logger";
import bcrypt from "bcrypt";
import { serveUsers, TEST_SECRET } from "../../testing/service.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
let service: Awaited<ReturnType<typeof serveUsers>>;
let counter = 0;
/** The service on the same database, which holds the first password that it has compared until it may go on. */
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
          const isRight = await passwords.matches(...input);
          const wait = hold;
          hold = undefined;
          await wait?.();
          return isRight;
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
  const [compared, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = () => {
    compared.resolve();
    return goOn.promise;
  };
  return { held, compared: compared.promise, goOn: goOn.resolve };
}

interface Person {
  id: string;
  name: string;
  cookie: string;
}
async function aPerson(on = service): Promise<Person> {
  const name = `Session${++counter}`;
  const body = { name, password: "phoenix!", avatar_id: "fox-id" };
  const answer = await on.call("/users", { method: "POST", body });
  return { id: answer.body.id, name, cookie: answer.cookie };
}
const logIn = ({ name }: Person, { password = "phoenix!", cookie = "", on = service } = {}) =>
  on.call("/login", { method: "POST", body: { name, password }, cookie });
const statusOf = async ({ id }: Person, cookie: string) => (await service.call(`/users/${id}`, { cookie })).status;
async function rowOf({ id }: Person) {
  const row = await service.connection.collection("sessions").findOne({ user_id: id });
  if (!row) throw new Error("There is no session");
  return row;
}
const moveBack = (person: Person, fields: Record<string, number>) => {
  const $set = Object.fromEntries(
    Object.entries(fields).map(([name, days]) => [name, new Date(Date.now() + days * DAY_MS)]),
  );
  return service.connection.collection("sessions").updateMany({ user_id: person.id }, { $set });
};
const endedSince = async (since?: string) =>
  (
    await service.call("/internal/sessions/ended", {
      method: "POST",
      body: { since },
      headers: { "x-internal-secret": TEST_SECRET },
    })
  ).body;

describe("a log-in", () => {
  it("under way does not survive a change of the password", async () => {
    const { held, compared, goOn } = holdComparison();
    const person = await aPerson(held);
    const logsIn = logIn(person, { on: held });
    await compared;
    const change = await held.call(`/users/${person.id}/password`, {
      method: "POST",
      cookie: person.cookie,
      body: { old_password: "phoenix!", new_password: "a new phoenix" },
    });
    goOn();
    const { status, cookie } = await logsIn;
    const living = await service.connection
      .collection("sessions")
      .countDocuments({ user_id: person.id, ended_at: { $exists: false } });
    expect([change.status, status, cookie, living]).toEqual([200, 401, "", 1]);
  });

  it("ends the session that the browser had, and tells so", async () => {
    const person = await aPerson();
    const before = service.published.length;
    const { cookie } = await logIn(person, { cookie: person.cookie });
    expect(await statusOf(person, person.cookie)).toBe(401);
    expect(await statusOf(person, cookie)).toBe(200);
    expect(service.published.slice(before)).toMatchObject([
      ["sessions", { type: "session_ended", user_id: person.id }],
    ]);
  });

  it("leaves the browser's session alone when the password is wrong", async () => {
    const person = await aPerson();
    await logIn(person, { cookie: person.cookie, password: "wrong" });
    expect(await statusOf(person, person.cookie)).toBe(200);
  });

  it("ends the least used session beyond a hundred", async () => {
    const person = await aPerson();
    await moveBack(person, { last_used_at: -1 });
    const first = await rowOf(person);
    const more = Array.from({ length: 99 }, (_, n) => ({
      ...first,
      _id: `${person.id}-${n}`,
      public_id: `${person.id}${n}`,
      last_used_at: new Date(),
    }));
    await service.connection.collection("sessions").insertMany(more as never);
    expect(await statusOf(person, person.cookie)).toBe(200);
    await service.connection
      .collection("sessions")
      .updateOne({ _id: first._id as never }, { $set: { last_used_at: new Date(0) } });
    const { cookie } = await logIn(person);
    expect(await statusOf(person, person.cookie)).toBe(401);
    expect((await service.call(`/sessions/${person.id}`, { cookie })).body).toHaveLength(100);
  });

  it("upgrades a hash whose cost is below today's", async () => {
    const person = await aPerson();
    const users = service.connection.collection("users");
    const cheap = await bcrypt.hash("phoenix!", 4);
    const dear = await serveUsers({}, { cost: 5, connection: service.connection });
    await users.updateOne({ name: person.name }, { $set: { password_hash: cheap } });
    expect((await logIn(person, { on: dear })).status).toBe(200);
    let hash = cheap;
    while (hash === cheap) hash = (await users.findOne({ name: person.name }))?.password_hash;
    expect(bcrypt.getRounds(hash)).toBe(5);
    expect((await logIn(person, { on: dear })).status).toBe(200);
    await dear.close();
  });

  it("that fails is logged with its address and a hash of the name", async () => {
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
  it("that ended is listed for the other services, whoever published it", async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    const row = await rowOf(person);
    await service.call("/logout", { method: "POST", cookie: person.cookie });
    const page = await endedSince(new Date(Date.now() - 5_000).toISOString());
    const ids = page.sessions.map(({ session_id }: { session_id: string }) => session_id);
    expect(ids).toContain(row.public_id);
    expect(ids).not.toContain((await rowOf(other)).public_id);
    expect(page.has_more).toBe(false);
    const kept = await rowOf(person);
    expect(page.until >= (kept.ended_at as Date).toISOString()).toBe(true);
    // A release from before `ended_at` would look for this one.
    expect(kept).not.toHaveProperty("public_id");
    // Long enough that no service misses it.
    expect((kept.expires_at as Date).getTime()).toBeGreaterThan(Date.now() + 0.9 * DAY_MS);
    expect((await endedSince()).sessions).toEqual(
      expect.arrayContaining([{ session_id: row.public_id, user_id: person.id }]),
    );
  });

  it("ends after 180 days, however much it is used", async () => {
    const person = await aPerson();
    await moveBack(person, { created_at: -179, last_used_at: -1, expires_at: 1 });
    expect(await statusOf(person, person.cookie)).toBe(200);
    const row = await rowOf(person);
    expect(Math.round(((row.expires_at as Date).getTime() - Date.now()) / DAY_MS)).toBe(1);
    await moveBack(person, { created_at: -181 });
    expect(await statusOf(person, person.cookie)).toBe(401);
  });

  it("ends after 30 days without use, and lives on with use", async () => {
    const person = await aPerson();
    await moveBack(person, { created_at: -40, last_used_at: -29, expires_at: 1 });
    expect(await statusOf(person, person.cookie)).toBe(200);
    const row = await rowOf(person);
    expect(Math.round(((row.expires_at as Date).getTime() - Date.now()) / DAY_MS)).toBe(30);
    await moveBack(person, { expires_at: -0.001 });
    expect(await statusOf(person, person.cookie)).toBe(401);
  });

  it("renews the cookie's Max-Age once a day", async () => {
    const person = await aPerson();
    const load = async () =>
      (await service.call(`/users/${person.id}`, { cookie: person.cookie })).headers.get("set-cookie");
    expect(await load()).toBeNull();
    await moveBack(person, { created_at: -10, last_used_at: -2 });
    const renewed = await load();
    expect(renewed).toContain(`${person.cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=`);
    expect(Number(/Max-Age=(\d+)/.exec(renewed ?? "")?.[1])).toBeGreaterThan(29 * 24 * 60 * 60);
    expect(await load()).toBeNull();
  });

  it("that has ended cannot change the password any more", async () => {
    const { held, compared, goOn } = holdComparison();
    const person = await aPerson(held);
    const change = held.call(`/users/${person.id}/password`, {
      method: "POST",
      cookie: person.cookie,
      body: { old_password: "phoenix!", new_password: "a stolen phoenix" },
    });
    await compared;
    await service.call("/logout", { method: "POST", cookie: person.cookie });
    goOn();
    expect((await change).status).toBe(401);
    expect((await logIn(person)).status).toBe(200);
  });
});

describe("answers", () => {
  it("are stored nowhere", async () => {
    const person = await aPerson();
    for (const path of [`/users/${person.id}`, `/friends/${person.id}`, `/sessions/${person.id}`, "/users"]) {
      const { headers } = await service.call(path, { cookie: person.cookie });
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
  });

  it("to a log-out clear what the browser has cached", async () => {
    const [one, two] = [await aPerson(), await aPerson()];
    const out = await service.call("/logout", { method: "POST", cookie: one.cookie });
    const all = await service.call(`/sessions/${two.id}`, { method: "DELETE", cookie: two.cookie });
    expect([out, all].map(({ headers }) => headers.get("clear-site-data"))).toEqual(['"cache"', '"cache"']);
  });
});

describe("passwords", () => {
  const register = (name: string, password: string) =>
    service.call("/users", { method: "POST", body: { name, password, avatar_id: "fox-id" } });

  it("that everybody tries first are refused, at registration and at a change", async () => {
    const common = "This password is too common. Please choose one that is harder to guess";
    expect(await register("Cornelius", "Password1")).toMatchObject({ status: 400, body: { error: common } });
    const person = await aPerson();
    const body = { old_password: "phoenix!", new_password: "qwertyuiop" };
    const change = { method: "POST", cookie: person.cookie, body };
    expect(await service.call(`/users/${person.id}/password`, change)).toMatchObject({
      status: 400,
      body: { error: common },
    });
  });

  it("that are one's name are refused", async () => {
    const error = "Your password must not be your username";
    expect(await register("Cornelius", "cornelius42")).toMatchObject({ status: 400, body: { error } });
  });
});
