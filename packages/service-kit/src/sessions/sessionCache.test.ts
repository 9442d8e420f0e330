import { LOOKUP_MAX_TOKENS, lookUpSessions, type Session } from "@messageoh/contracts/internal/users";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { createSessionCache } from "./sessionCache.ts";

const aSession = (session_id: string): Session => ({
  session_id,
  user: { id: "u1", name: "Ann", avatar_id: "fox-id" },
});
const createWithBatches = (lookUp: (tokens: string[]) => Promise<(Session | null)[]>) =>
  createSessionCache(
    createFakeCall([route(lookUpSessions, async ({ body }) => ({ sessions: await lookUp(body.tokens) }))]),
  );
const create = (lookUp: (token: string) => Promise<Session | null>) =>
  createWithBatches((tokens) => Promise.all(tokens.map(lookUp)));

it("looks a session up once, and again after it ended", async () => {
  const responses: (Session | null)[] = [aSession("s1"), null];
  const lookedUp: string[] = [];
  const cache = create(async (token) => {
    lookedUp.push(token);
    return responses.shift() ?? null;
  });
  expect(await cache.find("token")).toEqual(aSession("s1"));
  expect(await cache.find("token")).toEqual(aSession("s1"));
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
  respond(aSession("s1"));
  expect(await found).toBeNull();
});

it("rejects with 503 if svc-users fails", async () => {
  const cache = create(() => Promise.reject(new Error("down")));
  await expect(cache.find("token")).rejects.toMatchObject({ status: 503 });
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
  respond[0]?.(aSession("s1"));
  expect(new Set(await ending)).toEqual(new Set([null]));
  const found = findAll();
  await turn();
  respond[1]?.(aSession("s2"));
  expect(new Set(await found)).toEqual(new Set([aSession("s2")]));
  expect(respond).toHaveLength(2);
});

it("looks up the tokens of many connections in few calls", async () => {
  const lookedUp: string[][] = [];
  const cache = createWithBatches(async (tokens) => {
    lookedUp.push(tokens);
    return tokens.map((token) => aSession(`s-${token}`));
  });
  const tokens = Array.from({ length: LOOKUP_MAX_TOKENS + 5 }, (_, index) => `token-${index}`);
  const found = await Promise.all(tokens.map(cache.find));
  expect(found.map((session) => session?.session_id)).toEqual(tokens.map((token) => `s-${token}`));
  expect(lookedUp).toEqual([tokens.slice(0, LOOKUP_MAX_TOKENS), tokens.slice(LOOKUP_MAX_TOKENS)]);
});
