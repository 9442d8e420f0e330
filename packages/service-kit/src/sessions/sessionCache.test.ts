import { createSessionCache } from "./sessionCache.ts";

interface Session {
  id: string;
}
const create = (lookUp: (token: string) => Promise<Session | null>) =>
  createSessionCache<Session>({ lookUp, sessionIdOf: (session) => session.id, trustMs: 30_000 });

it("looks a session up once, and again after it ended", async () => {
  const answers: (Session | null)[] = [{ id: "s1" }, null];
  const asked: string[] = [];
  const cache = create(async (token) => {
    asked.push(token);
    return answers.shift() ?? null;
  });
  expect(await cache.find("token")).toEqual({ id: "s1" });
  expect(await cache.find("token")).toEqual({ id: "s1" });
  expect(asked).toEqual(["token"]);
  cache.forget("s1");
  expect(await cache.find("token")).toBeNull();
});

it("ignores the result of a lookup if the session ended meanwhile", async () => {
  let answer: (session: Session) => void = () => undefined;
  const cache = create(() => new Promise((resolve) => (answer = resolve)));
  const found = cache.find("token");
  cache.forget("s1");
  answer({ id: "s1" });
  expect(await found).toBeNull();
});

it("does not look up a missing or overlong token", async () => {
  const cache = create(() => Promise.reject(new Error("asked")));
  expect(await cache.find(undefined)).toBeNull();
  expect(await cache.find("x".repeat(201))).toBeNull();
});
