import { createSessionCache } from "./sessionCache.ts";

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
