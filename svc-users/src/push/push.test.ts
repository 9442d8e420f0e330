import { createVerify } from "node:crypto";
import type { PushState } from "@messageoh/contracts/push";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { aPushBrowser, startPushService } from "@messageoh/service-kit/testing/pushService";
import { until } from "@messageoh/service-kit/testing/until";
import { friendCalls } from "../../testing/friends.ts";
import { PASSWORD, serveUsers, TEST_SECRET, type TestService, type TestUser } from "../../testing/service.ts";
import { createAccounts } from "../operators/accounts.ts";

let pushService: Awaited<ReturnType<typeof startPushService>>;
let service: TestService;
let calls: ReturnType<typeof friendCalls>;
/** Addresses that the resolver of the service responds with. */
let addresses: string[] = [];

beforeAll(async () => {
  pushService = await startPushService();
  const push = {
    allowedHosts: [pushService.host],
    ca: pushService.ca,
    resolve: async () => addresses,
    retryMs: 1,
  };
  service = await serveUsers({}, { push });
  calls = friendCalls(service);
}, 60_000);
afterAll(async () => {
  await service.close();
  await pushService.close();
});
beforeEach(() => {
  pushService.received.length = 0;
  pushService.respond = async () => 201;
});

let counter = 0;
const aBrowser = () => aPushBrowser(`https://${pushService.host}/${++counter}`);
type Browser = ReturnType<typeof aBrowser>;

const subscribe = ({ cookie }: Pick<TestUser, "cookie">, { subscription }: Browser, shows_text = false) =>
  service.call("/push", { method: "PUT", cookie, body: { ...subscription, shows_text } });
const stateOf = async ({ cookie }: Pick<TestUser, "cookie">) =>
  (await service.call<PushState>("/push", { cookie })).body;

/** Reports a message as svc-messages does. */
async function notify(to: TestUser, from: TestUser, threadId: string, text = "a private text") {
  const push = { recipient_user_id: to.id, sending_user_id: from.id, thread_id: threadId, text };
  const headers = { "x-internal-secret": TEST_SECRET };
  const { body } = await service.call("/internal/pushes", { method: "POST", headers, body: { pushes: [push] } });
  return body;
}

/** Returns a pair of friends of whom one has a subscription. */
async function aReachablePair(shows_text = false) {
  const { one, two, threadId } = await calls.aPair();
  const browser = aBrowser();
  await subscribe(two, browser, shows_text);
  const path = new URL(browser.subscription.endpoint).pathname;
  return { one, two, threadId, browser, path };
}

/** Notifies another user and waits for it, so that earlier notifications have arrived as well. */
async function afterOthers(): Promise<void> {
  const { one, two, threadId, path } = await aReachablePair();
  await notify(two, one, threadId);
  await until(() => pushService.pathsReceived().includes(path));
}

it("delivers an encrypted notification without the text, which only the browser can decrypt", async () => {
  const { one, two, threadId, browser } = await aReachablePair();
  expect(await notify(two, one, threadId)).toEqual({ is_on: true });
  await until(() => pushService.received.length === 1);
  const [{ headers, body }] = pushService.received as [(typeof pushService.received)[0]];
  expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", topic: threadId, ttl: "86400" });
  expect(browser.decrypt(body)).toEqual({
    user_id: two.id,
    thread_id: threadId,
    friend_id: one.id,
    name: one.name,
  });
  expect(body.toString("latin1")).not.toContain(one.name);
  expect(() => aBrowser().decrypt(body)).toThrow();
});

it("contains the beginning of the text if the user allows it", async () => {
  const { one, two, threadId, browser } = await aReachablePair(true);
  await notify(two, one, threadId, "Hello 🦊");
  await until(() => pushService.received.length === 1);
  expect(browser.decrypt(pushService.received[0]?.body as Buffer)).toMatchObject({ text: "Hello 🦊" });
});

it("identifies itself to the push service by the public key that browsers get", async () => {
  const { one, two, threadId } = await aReachablePair();
  await notify(two, one, threadId);
  await until(() => pushService.received.length === 1);
  const authorization = String(pushService.received[0]?.headers.authorization);
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const { public_key } = await stateOf(two);
  expect(key).toBe(public_key);
  const [head, claims, signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const verify = createVerify("sha256").update(`${head}.${claims}`);
  const isValid = verify.verify(
    { key: jwk, format: "jwk", dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  expect(isValid).toBe(true);
  expect(JSON.parse(Buffer.from(claims ?? "", "base64url").toString())).toMatchObject({
    aud: `https://${pushService.host}`,
    sub: "mailto:operator@localhost",
  });
});

it("sends nothing for a muted thread, after the end of a friendship and to a user without a subscription", async () => {
  const muted = await aReachablePair();
  await calls.change(muted.two, muted.one, { is_muted: true });
  const ended = await aReachablePair();
  await calls.unfriend(ended.one, ended.two);
  for (const { one, two, threadId } of [muted, ended]) await notify(two, one, threadId);
  await notify(muted.one, muted.two, muted.threadId);
  await afterOthers();
  expect(pushService.received).toHaveLength(1);
});

describe("a subscription", () => {
  it("belongs to its session, and the user can end it", async () => {
    const { two, browser } = await aReachablePair(true);
    expect(await stateOf(two)).toEqual({ public_key: expect.any(String), is_on: true, shows_text: true });
    const body = { name: two.name, password: PASSWORD };
    const elsewhere = await service.call("/login", { method: "POST", body });
    expect(await stateOf(elsewhere)).toMatchObject({ is_on: false });
    const { cookie } = two;
    expect((await service.call("/push", { method: "DELETE", cookie })).body).toMatchObject({ is_on: false });
    expect(await stateOf(two)).toMatchObject({ is_on: false });
    expect((await subscribe(elsewhere, browser)).body).toMatchObject({ is_on: true });
  });

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ["log-out", ({ cookie }) => service.call("/logout", { method: "POST", cookie })],
    ["log-out everywhere", ({ id, cookie }) => service.call(`/sessions/${id}`, { method: "DELETE", cookie })],
    [
      "a password change on another device",
      async ({ id, name }) => {
        const { cookie } = await service.call("/login", { method: "POST", body: { name, password: PASSWORD } });
        const body = { old_password: PASSWORD, new_password: "a new phoenix" };
        return service.call(`/users/${id}/password`, { method: "POST", cookie, body });
      },
    ],
    [
      "the deletion of the account",
      ({ id, cookie }) =>
        service.call(`/users/${id}/deletion`, { method: "POST", cookie, body: { password: PASSWORD, texts: "keep" } }),
    ],
    ["a suspension by the operator", ({ name }) => createAccounts(service.connection, 4).suspend(name)],
  ])("ends with its session: %s", async (_, end) => {
    const { one, two, threadId } = await aReachablePair();
    await end(two);
    expect(
      await service.connection.collection("sessions").countDocuments({ user_id: two.id, push: { $exists: true } }),
    ).toBe(0);
    await notify(two, one, threadId);
    await afterOthers();
    expect(pushService.received).toHaveLength(1);
  });

  it("moves to the session that registers its endpoint last, so that no message reaches another user's browser", async () => {
    const { one, two, threadId, browser } = await aReachablePair();
    const other = await aReachablePair();
    expect((await subscribe(other.two, browser)).status).toBe(200);
    expect(await stateOf(two)).toMatchObject({ is_on: false });
    await notify(two, one, threadId);
    await notify(other.two, other.one, other.threadId);
    await afterOthers();
    expect(pushService.received).toHaveLength(2);
    expect(browser.decrypt(pushService.received[0]?.body as Buffer)).toMatchObject({ friend_id: other.one.id });
  });

  it("belongs to one session when several register its endpoint at the same time", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, async () => (await calls.aPair()).one));
    const browser = aBrowser();
    const statuses = await Promise.all(users.map(async (user) => (await subscribe(user, browser)).status));
    const states = await Promise.all(users.map(stateOf));
    expect(states.filter(({ is_on }) => is_on)).toHaveLength(1);
    expect(statuses).toContain(200);
  });

  it("is kept for the 20 most recently used sessions of a user", async () => {
    const { one } = await calls.aPair();
    const body = { name: one.name, password: PASSWORD };
    const browsers = Array.from({ length: 21 }, () => aBrowser());
    for (const browser of browsers) {
      const { cookie } = await service.call("/login", { method: "POST", body });
      await subscribe({ cookie }, browser);
    }
    const left = await service.connection
      .collection("sessions")
      .find({ user_id: one.id, push: { $exists: true } })
      .toArray();
    expect(left).toHaveLength(20);
    const endpoints = browsers.slice(1).map(({ subscription }) => subscription.endpoint);
    expect(left.map(({ push }) => push.endpoint).sort()).toEqual(endpoints.sort());
  });

  it("is found and changed without a look at the sessions of other users", async () => {
    const { one } = await calls.aPair();
    const now = new Date();
    const others = Array.from({ length: 200 }, (_, index) => {
      const own = { _id: `other-${index}`, public_id: `public-${index}`, user_id: `user-${index}` };
      return { ...own, created_at: now, last_used_at: now, expires_at: new Date(Date.now() + 86_400_000) };
    });
    const db = service.connection.getClient().db(service.connection.name);
    await db.collection<{ _id: string }>("sessions").insertMany(others);
    await db.command({ profile: 2 });
    const browser = aBrowser();
    await stateOf(one);
    await subscribe(one, browser);
    await service.call("/push", { method: "DELETE", cookie: one.cookie });
    await db.command({ profile: 0 });
    const queries = await db
      .collection("system.profile")
      .find({ ns: /sessions$/ })
      .toArray();
    expect(queries.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...queries.map(({ docsExamined = 0 }) => docsExamined))).toBeLessThan(50);
  });

  it.each<[string, string, string[], string?]>([
    ["an internal name", "https://internal.example/1", ["10.0.0.5"]],
    ["a name with one internal address", "https://mixed.example/1", ["8.8.8.8", "127.0.0.1"]],
    ["a loopback address", "https://127.0.0.1/1", []],
    ["another port", "https://push.example:8443/1", ["8.8.8.8"]],
    ["HTTP", "http://push.example/1", ["8.8.8.8"], "The address of a push service is required"],
    ["a name that does not resolve", "https://nowhere.example/1", []],
  ])("is refused for %s", async (_, endpoint, resolved, error = "This push service is not allowed") => {
    const { one } = await calls.aPair();
    addresses = resolved;
    const response = await subscribe(one, { ...aBrowser(), subscription: { ...aBrowser().subscription, endpoint } });
    expect(response).toMatchObject({ status: 400, body: { error } });
    expect(await stateOf(one)).toMatchObject({ is_on: false });
  });

  it("is refused with keys that are not on the curve", async () => {
    const { one } = await calls.aPair();
    const { subscription, ...browser } = aBrowser();
    const keys = { ...subscription.keys, p256dh: "B".repeat(87) };
    expect((await subscribe(one, { ...browser, subscription: { ...subscription, keys } })).status).toBe(400);
  });
});

describe("delivery", () => {
  it.each([404, 410])("removes a subscription after status %i", async (status) => {
    const { one, two, threadId } = await aReachablePair();
    pushService.respond = async () => status;
    await notify(two, one, threadId);
    await until(async () => !(await stateOf(two)).is_on);
    pushService.respond = async () => 201;
    await notify(two, one, threadId);
    await afterOthers();
    expect(pushService.received).toHaveLength(2);
  });

  it("tries again after a temporary failure", async () => {
    const { one, two, threadId, path } = await aReachablePair();
    const statuses = [500, 429];
    pushService.respond = async () => statuses.shift() ?? 201;
    await notify(two, one, threadId);
    await until(() => pushService.received.length === 3);
    expect(pushService.pathsReceived()).toEqual([path, path, path]);
  });

  it.each(["mute", "unfriend"])(
    "does not try again after a failure if the recipient has chosen to %s",
    async (choice) => {
      const { one, two, threadId, path } = await aReachablePair();
      pushService.respond = async (received) => {
        if (received !== path) return 201;
        if (choice === "mute") await calls.change(two, one, { is_muted: true });
        else await calls.unfriend(two, one);
        return 500;
      };
      await notify(two, one, threadId);
      await until(() => pushService.received.length === 1);
      await afterOthers();
      expect(pushService.pathsReceived().filter((received) => received === path)).toHaveLength(1);
    },
  );

  it("leaves the text out after two seconds, because the message may have been deleted", async () => {
    const { one, two, threadId, browser } = await aReachablePair(true);
    const realNow = performance.now.bind(performance);
    pushService.respond = async () => {
      const isFirst = pushService.received.length === 1;
      if (isFirst) jest.spyOn(performance, "now").mockImplementation(() => realNow() + 2_001);
      return isFirst ? 500 : 201;
    };
    await notify(two, one, threadId, "a private text");
    await until(() => pushService.received.length === 2);
    jest.restoreAllMocks();
    const payloads = pushService.received.map(({ body }) => browser.decrypt(body));
    expect(payloads).toMatchObject([{ text: "a private text" }, { name: one.name }]);
    expect(payloads[1]).not.toHaveProperty("text");
  });

  it.each([503, 101])("pauses an endpoint after four times status %i, and keeps its subscription", async (status) => {
    const { one, two, threadId, path } = await aReachablePair();
    pushService.respond = async (received) => (received === path ? status : 201);
    await notify(two, one, threadId);
    await until(() => pushService.received.length === 4);
    await afterOthers();
    await notify(two, one, threadId);
    await afterOthers();
    expect(pushService.pathsReceived().filter((received) => received === path)).toHaveLength(4);
    expect(await stateOf(two)).toMatchObject({ is_on: true });
  });

  it("does not wait for endpoints that never respond", async () => {
    const slow = await Promise.all(Array.from({ length: 10 }, () => aReachablePair()));
    const slowPaths = new Set(slow.map(({ path }) => path));
    const blocked = Promise.withResolvers<number>();
    pushService.respond = (path) => (slowPaths.has(path) ? blocked.promise : Promise.resolve(201));
    for (const { one, two, threadId } of slow) await notify(two, one, threadId);
    await afterOthers();
    blocked.resolve(201);
  });
});

it("is off without a key", async () => {
  const { connection, drop } = await openTestDatabase();
  const off = await serveUsers({}, { connection, push: { privateKey: null } });
  const body = { name: "Nobody", password: PASSWORD, avatar_id: "fox-id" };
  const { cookie } = await off.call("/users", { method: "POST", body });
  expect((await off.call("/push", { cookie })).body).toEqual({ public_key: null, is_on: false, shows_text: false });
  const subscription = { ...aBrowser().subscription, shows_text: false };
  expect((await off.call("/push", { method: "PUT", cookie, body: subscription })).status).toBe(404);
  await off.close();
  await drop();
});
