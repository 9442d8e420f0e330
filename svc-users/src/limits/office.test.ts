import { parse } from "@messageoh/contracts/parse";
import { rateSetting } from "@messageoh/service-kit/rateLimit";
import { PASSWORD, serveUsers } from "../../testing/service.ts";
import { type LimitName, type LimitRates, RATE_LIMITS } from "./rateLimits.ts";

// Tests the default limits with an office that shares one address, and a user who adds a whole team.
const OFFICE = { "x-forwarded-for": "203.0.113.50" };
const names = Object.keys(RATE_LIMITS) as LimitName[];
const defaults = Object.fromEntries(
  names.map((name) => [name, parse(rateSetting(RATE_LIMITS[name].fallback), undefined)]),
) as LimitRates;
let service: Awaited<ReturnType<typeof serveUsers>>;
let colleagues: string[] = [];

beforeAll(async () => {
  service = await serveUsers(defaults, { atOnce: 1, waitingMax: 100 });
});
afterAll(() => service.close());

const nameOf = (n: number) => `Colleague ${n}`;
const post = (path: string, body: object, cookie = "") =>
  service.call<{ id: string }>(path, { method: "POST", body, cookie, headers: OFFICE });
const register = (n: number) => post("/users", { name: nameOf(n), password: PASSWORD, avatar_id: "fox-id" });
/** Makes `count` calls at the same time and expects 200 for each. */
async function allAtOnce(count: number, call: (n: number) => ReturnType<typeof post>) {
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => call(n)));
  expect(responses.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body])).toEqual([]);
  return responses;
}

it("registers 60 users of one address at the same time, and 500 in an hour", async () => {
  for (let done = 0; done < 480; done += 60) await allAtOnce(60, (n) => register(done + n));
  const last = await allAtOnce(20, (n) => register(480 + n));
  colleagues = last.map(({ body }) => body.id);
}, 180_000);

it("logs in 100 users of one address at the same time", async () => {
  await allAtOnce(100, (n) => post("/login", { name: nameOf(n), password: PASSWORD }));
}, 180_000);

it("lets a user add 100 friends at the same time", async () => {
  const { body, cookie } = await post("/login", { name: nameOf(499), password: PASSWORD });
  const logIns = await allAtOnce(81, (n) => post("/login", { name: nameOf(n), password: PASSWORD }));
  const friends = [...logIns.map((response) => response.body.id), ...colleagues.filter((id) => id !== body.id)];
  await allAtOnce(100, (n) => post("/add_friend", { user_id: body.id, friend_id: friends[n] }, cookie));
}, 180_000);
