import { parse } from "@messageoh/contracts/parse";
import * as contract from "@messageoh/contracts/users";
import { limited, rateSetting } from "@messageoh/service-kit/rateLimit";
import { endpointsOf } from "@messageoh/service-kit/testing/contracts";
import { serveUsers } from "../../testing/service.ts";
import { LIMIT_OF, type LimitName, RATE_LIMITS } from "./rateLimits.ts";

let service: Awaited<ReturnType<typeof serveUsers>>;
let counter = 0;

beforeAll(async () => {
  service = await serveUsers({
    failedLogins: { count: 5, seconds: 900 },
    failedLoginsFromAnywhere: { count: 12, seconds: 3600 },
    failedLoginsOfAddress: { count: 10, seconds: 3600 },
    wrongOldPasswords: { count: 5, seconds: 900 },
    logins: { count: 20, seconds: 900 },
    registrations: { count: 3, seconds: 900 },
    searches: { count: 4, seconds: 900 },
  });
});
afterAll(() => service.close());

const anAddress = () => `203.0.113.${++counter}`;
const post = (path: string, body: object, address: string) =>
  service.call<{ id: string; error: string }>(path, {
    method: "POST",
    body,
    headers: { "x-forwarded-for": address },
  });
const logIn = (name: string, password: string, address = anAddress()) => post("/login", { name, password }, address);
const register = (name: string, address = anAddress()) =>
  post("/users", { name, password: "phoenix!", avatar_id: "fox-id" }, address);
const statuses = async (responses: Promise<{ status: number }>[]) =>
  (await Promise.all(responses)).map(({ status }) => status);

it("refuses a known or unknown name after five failed log-ins from one address", async () => {
  await register("Severus");
  for (const name of ["Severus", "Nobody"]) {
    const address = anAddress();
    for (let n = 0; n < 5; n += 1) expect((await logIn(name, "wrong", address)).status).toBe(401);
    const refused = await logIn(name.toUpperCase(), "phoenix!", address);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBe("Too many failed logins for this username. Please try again in 15 minutes");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(850);
  }
});

it("lets a user log in while a stranger guesses the password", async () => {
  await register("Remus");
  const stranger = anAddress();
  for (let n = 0; n < 6; n += 1) await logIn("Remus", "wrong", stranger);
  expect((await logIn("Remus", "phoenix!", stranger)).status).toBe(429);
  expect((await logIn("Remus", "phoenix!")).status).toBe(200);
});

it("limits guesses at one name from many addresses, but not on a device that has logged in before", async () => {
  const { headers } = await register("Sirius");
  const device = /messageoh_device=[^;]+/.exec(headers.get("set-cookie") ?? "")?.[0] ?? "";
  for (let n = 0; n < 12; n += 1) expect((await logIn("Sirius", "wrong")).status).toBe(401);
  expect((await logIn("Sirius", "phoenix!")).status).toBe(429);
  const from = (cookie: string, name: string, password: string) =>
    service.call("/login", {
      method: "POST",
      cookie,
      body: { name, password },
      headers: { "x-forwarded-for": anAddress() },
    });
  expect((await from(device, "sirius", "phoenix!")).status).toBe(200);
  expect((await from(`${device.slice(0, -1)}_`, "Sirius", "phoenix!")).status).toBe(429);
  // The device is known for its own names only, and has the same limit as an address.
  for (let n = 0; n < 12; n += 1) expect((await logIn("Regulus", "wrong")).status).toBe(401);
  expect((await from(device, "Regulus", "wrong")).status).toBe(429);
  for (let n = 0; n < 5; n += 1) expect((await from(device, "Sirius", "wrong")).status).toBe(401);
  expect((await from(device, "Sirius", "phoenix!")).status).toBe(429);
});

it("remembers a browser for each name that has logged in there", async () => {
  const first = await register("Molly");
  const device = (headers: Headers) => /messageoh_device=[^;]+/.exec(headers.get("set-cookie") ?? "")?.[0] ?? "";
  const second = await service.call("/users", {
    method: "POST",
    cookie: device(first.headers),
    body: { name: "Arthur", password: "phoenix!", avatar_id: "fox-id" },
    headers: { "x-forwarded-for": anAddress() },
  });
  for (const name of ["Molly", "Arthur"]) {
    for (let n = 0; n < 12; n += 1) await logIn(name, "wrong");
    const again = { method: "POST", cookie: device(second.headers), body: { name, password: "phoenix!" } };
    expect((await service.call("/login", again)).status).toBe(200);
  }
});

it("lets a user with an open session change the password while strangers guess it", async () => {
  const { body, cookie } = await register("Lily");
  for (let n = 0; n < 14; n += 1) await logIn("Lily", "wrong");
  const change = (old_password: string) =>
    service.call(`/users/${body.id}/password`, {
      method: "POST",
      cookie,
      body: { old_password, new_password: "a doe of light" },
      headers: { "x-forwarded-for": "203.0.113.1" },
    });
  expect((await change("phoenix!")).status).toBe(200);
  for (let n = 0; n < 5; n += 1) expect((await change("wrong")).status).toBe(403);
  expect((await change("a doe of light")).status).toBe(429);
});

it("counts no attempt whose password was not checked because of a failure", async () => {
  await register("Neville");
  const address = anAddress();
  for (let n = 0; n < 4; n += 1) expect((await logIn("Neville", "wrong", address)).status).toBe(401);
  const fails = jest.spyOn(service.connection.model("User"), "findOne").mockImplementationOnce(() => {
    throw new Error("no database");
  });
  expect((await logIn("Neville", "phoenix!", address)).status).toBe(500);
  fails.mockRestore();
  expect((await logIn("Neville", "phoenix!", address)).status).toBe(200);
});

it("counts no attempt that another limit refuses as a failure of its address", async () => {
  const [address, elsewhere] = [anAddress(), anAddress()];
  for (const name of ["Crabbe", "Goyle", "Padma"]) await register(name, elsewhere);
  for (const name of ["Crabbe", "Goyle"]) {
    for (let n = 0; n < 12; n += 1) await logIn(name, "wrong");
    for (let n = 0; n < 5; n += 1) expect((await logIn(name, "phoenix!", address)).status).toBe(429);
  }
  expect((await logIn("Padma", "phoenix!", address)).status).toBe(200);
});

it("limits an address that tries one password with many names", async () => {
  const address = anAddress();
  for (let n = 0; n < 10; n += 1) expect((await logIn(`target ${n}`, "password", address)).status).toBe(401);
  const refused = await logIn("target 10", "password", address);
  expect([refused.status, refused.body.error]).toEqual([
    429,
    "Too many failed logins from your network. Please try again in 60 minutes",
  ]);
});

it("does not count successful log-ins as failures of their address", async () => {
  const [address, elsewhere] = [anAddress(), anAddress()];
  await Promise.all(["Fred", "George"].map((name) => register(name, elsewhere)));
  for (let n = 0; n < 6; n += 1) {
    const responses = await Promise.all(["Fred", "George"].map((name) => logIn(name, "phoenix!", address)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  }
});

it("counts simultaneous attempts", async () => {
  const address = anAddress();
  const wrong = Array.from({ length: 8 }, () => logIn("Sybill", "wrong", address));
  expect((await statuses(wrong)).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
});

it("refuses no correct log-in or change because of others at the same time, and still limits guesses", async () => {
  const { body, cookie } = await register("Pomona");
  const address = anAddress();
  const together = (count: number, password: string) =>
    statuses(Array.from({ length: count }, () => logIn("Pomona", password, address)));
  expect(await together(8, "phoenix!")).toEqual(Array(8).fill(200));
  const change = () =>
    service.call(`/users/${body.id}/password`, {
      method: "POST",
      cookie,
      body: { old_password: "phoenix!", new_password: "phoenix!" },
    });
  const changes = await statuses(Array.from({ length: 8 }, change));
  expect(changes).not.toContain(429);
  expect(changes).toContain(200);
  expect((await together(8, "wrong")).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
});

it("forgets the failures of a name after a successful log-in", async () => {
  await register("Minerva");
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 3; n += 1) expect((await logIn("Minerva", "wrong", "203.0.113.254")).status).toBe(401);
    expect((await logIn("Minerva", "phoenix!", "203.0.113.254")).status).toBe(200);
  }
});

it("refuses log-ins above the limit of an address, and from no other address", async () => {
  const address = anAddress();
  await register("Nymphadora");
  for (let n = 0; n < 20; n += 1) expect((await logIn("Nymphadora", "phoenix!", address)).status).toBe(200);
  const refused = await logIn("anybody", "wrong", address);
  expect([refused.status, refused.body.error]).toEqual([
    429,
    expect.stringMatching(/^Too many logins from your network/),
  ]);
  expect((await logIn("anybody", "wrong")).status).toBe(401);
});

it("refuses registrations above the limit of an address", async () => {
  const address = anAddress();
  for (let n = 0; n < 3; n += 1) expect((await register(`Weasley ${n}`, address)).status).toBe(200);
  expect((await register("Weasley 4", address)).status).toBe(429);
  // The gateway appends the real address to the header that the client sent.
  expect((await register("Weasley 5", `198.51.100.1, ${address}`)).status).toBe(429);
});

it("refuses searches above the limit of a user", async () => {
  const [one, other] = [await register("Rita"), await register("Luna")];
  const search = (cookie: string) => service.call("/users?search=a", { cookie });
  for (let n = 0; n < 4; n += 1) expect((await search(one.cookie)).status).toBe(200);
  expect((await search(one.cookie)).status).toBe(429);
  expect((await search(other.cookie)).status).toBe(200);
});

it("counts refusals in the metrics by limit", async () => {
  const address = anAddress();
  for (let n = 0; n < 6; n += 1) await logIn("Peter", "wrong", address);
  const counted = (await limited.get()).values.map(({ labels }) => labels.limit);
  expect(counted).toEqual(expect.arrayContaining(["failed_logins", "failed_logins_of_address", "searches"]));
  expect(counted.filter((limit) => !/^[a-z_]+$/.test(String(limit)))).toEqual([]);
});

it("counts calls without a session by address", async () => {
  const few = await serveUsers({ reads: { count: 2, seconds: 900 } });
  const read = (address: string) => few.call("/friends/me", { headers: { "x-forwarded-for": address } });
  const responses = [await read("203.0.113.9"), await read("203.0.113.9"), await read("203.0.113.9")];
  const other = await read("203.0.113.10");
  await few.close();
  expect([...responses, other].map(({ status }) => status)).toEqual([401, 401, 429, 401]);
  expect(Number(responses[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
});

it("has a limit for every public call", () => {
  const calls = endpointsOf(contract).filter(([, { path }]) => !path.startsWith("/internal/"));
  expect(calls.length).toBeGreaterThan(10);
  for (const [name, endpoint] of calls) expect([name, LIMIT_OF.get(endpoint)]).toEqual([name, expect.any(String)]);
});

it("allows, by default, the load of an office that shares one address", () => {
  const rate = (name: LimitName) => parse(rateSetting(RATE_LIMITS[name].fallback), undefined);
  expect(rate("registrations").count).toBeGreaterThanOrEqual(500);
  expect(rate("registrations").seconds).toBeLessThanOrEqual(3_600);
  for (const name of ["logins", "failedLoginsOfAddress", "friends"] as const) {
    expect([name, rate(name).count]).toEqual([name, expect.any(Number)]);
    expect(rate(name).count).toBeGreaterThanOrEqual(100);
  }
});

it("refuses with 429 when too many passwords wait, but serves a new address", async () => {
  // With this cost a hash takes longer than all requests need to arrive, even on a busy machine.
  const slow = await serveUsers({}, { cost: 9, atOnce: 1, waitingMax: 5 });
  const guess = (name: string, address: string) =>
    slow.call("/login", {
      method: "POST",
      body: { name, password: "wrong" },
      headers: { "x-forwarded-for": address },
    });
  const flood = Array.from({ length: 18 }, (_, n) => guess(`crowd ${n}`, "203.0.113.200"));
  const [honest] = await Promise.all([guess("newcomer", "203.0.113.201"), ...flood]);
  const responses = await statuses(flood);
  await slow.close();
  expect(new Set(responses)).toEqual(new Set([401, 429]));
  expect(responses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(5);
  expect(honest?.status).toBe(401);
});
