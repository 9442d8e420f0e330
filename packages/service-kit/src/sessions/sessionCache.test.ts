import { coalesce, createSessionCache } from "./sessionCache.ts";

interface Session {
  id: string;
}
const create = (lookUp: (token: string) => Promise<Session | null>) =>
  createSessionCache<Session>({ lookUp, sessionIdOf: (session) => session.id, trustMs: 30_000 });

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
  const ending = findAll();
  cache.forget("s1");
  respond[0]?.({ id: "s1" });
  expect(new Set(await ending)).toEqual(new Set([null]));
  const found = findAll();
  respond[1]?.({ id: "s2" });
  expect(new Set(await found)).toEqual(new Set([{ id: "s2" }]));
  expect(respond).toHaveLength(2);
});

it("does not join a look-up that started long ago, and none that has failed", async () => {
  const clock = jest.spyOn(performance, "now").mockReturnValue(0);
  const lookUp = jest.fn(() => new Promise<Session>(() => {}));
  const find = coalesce(lookUp, 500);
  const first = find("token");
  clock.mockReturnValue(499);
  expect(find("token")).toBe(first);
  clock.mockReturnValue(500);
  expect(find("token")).not.toBe(first);
  clock.mockRestore();
  const failing = coalesce(jest.fn().mockRejectedValueOnce(new Error("lost")).mockResolvedValueOnce("found"));
  await expect(failing("token")).rejects.toThrow("lost");
  expect(await failing("token")).toBe("found");
});
