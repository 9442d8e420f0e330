import { serveUsers } from "./testing.ts";

let service: Awaited<ReturnType<typeof serveUsers>>;
let counter = 0;

beforeAll(async () => {
  service = await serveUsers({
    failedLoginsPerName: { count: 5, seconds: 900 },
    loginsPerAddress: { count: 20, seconds: 900 },
    registrationsPerAddress: { count: 3, seconds: 900 },
    searchesPerUser: { count: 4, seconds: 900 },
  });
});
afterAll(() => service.close());

const anAddress = () => `203.0.113.${++counter}`;
const post = (path: string, body: object, address: string) =>
  service.call(path, { method: "POST", body, headers: { "x-forwarded-for": address } });
const logIn = (name: string, password: string, address = anAddress()) => post("/login", { name, password }, address);
const register = (name: string, address = anAddress()) =>
  post("/users", { name, password: "phoenix!", avatar_id: "fox-id" }, address);
const statuses = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map((a) => a.status);

it("refuses a name after five failed logins, from wherever they come, known or not", async () => {
  await register("Severus");
  for (const name of ["Severus", "Nobody"]) {
    for (let n = 0; n < 5; n += 1) expect((await logIn(name, "wrong")).status).toBe(401);
    const refused = await logIn(name.toUpperCase(), "phoenix!");
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBe("Too many failed logins for this username. Please try again in 15 minutes");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(850);
  }
});

it("counts attempts at the same time too", async () => {
  const wrong = Array.from({ length: 8 }, () => logIn("Sybill", "wrong"));
  expect((await statuses(wrong)).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
});

it("forgets the failures of a name once its password was right", async () => {
  await register("Minerva");
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 4; n += 1) expect((await logIn("Minerva", "wrong")).status).toBe(401);
    expect((await logIn("Minerva", "phoenix!")).status).toBe(200);
  }
});

it("refuses logins from one address beyond its share, and from no other", async () => {
  const address = anAddress();
  for (let n = 0; n < 20; n += 1) expect((await logIn(`nobody ${n}`, "wrong", address)).status).toBe(401);
  const refused = await logIn("anybody", "wrong", address);
  expect([refused.status, refused.body.error]).toEqual([
    429,
    expect.stringMatching(/^Too many logins from your network/),
  ]);
  expect((await logIn("anybody", "wrong")).status).toBe(401);
});

it("refuses registrations from one address beyond its share", async () => {
  const address = anAddress();
  for (let n = 0; n < 3; n += 1) expect((await register(`Weasley ${n}`, address)).status).toBe(200);
  expect((await register("Weasley 4", address)).status).toBe(429);
  // What a client claims stands before what the gateway adds.
  expect((await register("Weasley 5", `198.51.100.1, ${address}`)).status).toBe(429);
});

it("refuses searches of one user beyond its share", async () => {
  const [one, other] = [await register("Rita"), await register("Luna")];
  const search = (cookie: string) => service.call("/users?search=a", { cookie });
  for (let n = 0; n < 4; n += 1) expect((await search(one.cookie)).status).toBe(200);
  expect((await search(one.cookie)).status).toBe(429);
  expect((await search(other.cookie)).status).toBe(200);
});

it("refuses with 429 what would have to wait too long, and lets a newcomer in", async () => {
  // A hash must take longer than the other requests need to arrive, also on a busy machine.
  const slow = await serveUsers({}, { cost: 9, atOnce: 1, waitingMax: 5 });
  const guess = (name: string, address: string) =>
    slow.call("/login", {
      method: "POST",
      body: { name, password: "wrong" },
      headers: { "x-forwarded-for": address },
    });
  const flood = Array.from({ length: 18 }, (_, n) => guess(`crowd ${n}`, "203.0.113.200"));
  const [honest] = await Promise.all([guess("newcomer", "203.0.113.201"), ...flood]);
  const answers = await statuses(flood);
  await slow.close();
  expect(new Set(answers)).toEqual(new Set([401, 429]));
  expect(answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(5);
  expect(honest?.status).toBe(401);
});
