import { createSessionCache, joinRunning } from "./sessionCache.ts";

interface Session {
  id: string;
}
const createWithBatches = (lookUp: (tokens: string[]) => Promise<(Session | null)[]>) =>
  createSessionCache<Session>({ lookUp, tokensMax: 10, sessionIdOf: (session) => session.id, trustMs: 30_000 });
const create = (lookUp: (token: string) => Promise<Session | null>) =>
  createWithBatches((tokens) => Promise.all(tokens.map(lookUp)));

it("looks a session up once, and again after it ended", async () => {
  const responses: (Session | null)[] = [{ id: "s1" }, null];
  const lookedUp: string[] = [];
  const cache = create(async (token) => {
    lookedUp.push(token);
    return responses.shift() ?? null;
  });
  expect(await cache.find("token")).toEqual({ id: "s1" });
  expect(await cache.find("token")).toEqual({ id: "s1" });
  expect(lookedUp).toEqual(["token"]);
  cache.forget("s1");
  expect(await cache.find("token")).toBeNull();
});

it("ignores the result of a lookup if the session ended meanwhile", async () => {
  let respond: (session: Session) => void = () => undefined;
  const cache = create(() => new Promise((resolve) => (respond = resolve)));
  const found = cache.find("token");
  await new Promise((resolve) => setImmediate(resolve));
  cache.forget("s1");
  respond({ id: "s1" });
  expect(await found).toBeNull();
});

it("does not look up a missing or overlong token", async () => {
  const cache = create(() => Promise.reject(new Error("looked up")));
  expect(await cache.find(undefined)).toBeNull();
  expect(await cache.find("x".repeat(201))).toBeNull();
});

it("looks a session up once for 1,000 simultaneous requests, and for none of them if it ends meanwhile", async () => {
  const respond: ((session: Session) => void)[] = [];
  const cache = create(() => new Promise((resolve) => respond.push(resolve)));
  const findAll = () => Promise.all(Array.from({ length: 1_000 }, () => cache.find("token")));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const ending = findAll();
  await turn();
  cache.forget("s1");
  respond[0]?.({ id: "s1" });
  expect(new Set(await ending)).toEqual(new Set([null]));
  const found = findAll();
  await turn();
  respond[1]?.({ id: "s2" });
  expect(new Set(await found)).toEqual(new Set([{ id: "s2" }]));
  expect(respond).toHaveLength(2);
});

it("does not join a lookup that started long ago or has failed", async () => {
  const clock = jest.spyOn(performance, "now").mockReturnValue(0);
  const lookUp = jest.fn(() => new Promise<Session>(() => {}));
  const find = joinRunning(lookUp, 500);
  const first = find("token");
  clock.mockReturnValue(499);
  expect(find("token")).toBe(first);
  clock.mockReturnValue(500);
  expect(find("token")).not.toBe(first);
  clock.mockRestore();
  const failing = joinRunning(jest.fn().mockRejectedValueOnce(new Error("lost")).mockResolvedValueOnce("found"));
  await expect(failing("token")).rejects.toThrow("lost");
  expect(await failing("token")).toBe("found");
});

it("looks up the tokens of many connections in few calls", async () => {
  const lookedUp: string[][] = [];
  const cache = createWithBatches(async (tokens) => {
    lookedUp.push(tokens);
    return tokens.map((token) => ({ id: `session ${token}` }));
  });
  const tokens = Array.from({ length: 15 }, (_, index) => `token ${index}`);
  const found = await Promise.all(tokens.map(cache.find));
  expect(found.map((session) => session?.id)).toEqual(tokens.map((token) => `session ${token}`));
  expect(lookedUp).toEqual([tokens.slice(0, 10), tokens.slice(10)]);
});
