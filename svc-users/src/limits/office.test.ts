import { rateSetting } from "@messageoh/service-kit/rateLimit";
import { serveUsers } from "../../testing/service.ts";
import { type LimitName, type LimitRates, RATE_LIMITS } from "./rateLimits.ts";

// With the limits as they are by default: an office behind one address, and somebody who adds a whole team.
const OFFICE = { "x-forwarded-for": "203.0.113.50" };
const PASSWORD = "phoenix!";
const names = Object.keys(RATE_LIMITS) as LimitName[];
const defaults = Object.fromEntries(
  names.map((name) => [name, rateSetting(RATE_LIMITS[name].fallback).parse(undefined)]),
) as LimitRates;
let service: Awaited<ReturnType<typeof serveUsers>>;
let colleagues: string[] = [];

beforeAll(async () => {
  service = await serveUsers(defaults, { atOnce: 1, waitingMax: 100 });
});
afterAll(() => service.close());

const nameOf = (n: number) => `Colleague ${n}`;
const post = (path: string, body: object, cookie = "") =>
  service.call(path, { method: "POST", body, cookie, headers: OFFICE });
const register = (n: number) => post("/users", { name: nameOf(n), password: PASSWORD, avatar_id: "fox-id" });
/** Makes so many calls at once; all of them must be answered with 200. */
async function atOnce(count: number, call: (n: number) => ReturnType<typeof post>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => call(n)));
  expect(answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body])).toEqual([]);
  return answers;
}

it("registers 60 people of one address at once, and 500 within the hour", async () => {
  for (let done = 0; done < 480; done += 60) await atOnce(60, (n) => register(done + n));
  const last = await atOnce(20, (n) => register(480 + n));
  colleagues = last.map(({ body }) => body.id);
}, 180_000);

it("logs 100 people of one address in at once", async () => {
  await atOnce(100, (n) => post("/login", { name: nameOf(n), password: PASSWORD }));
}, 180_000);

it("lets one user add 100 friends at once", async () => {
  const { body, cookie } = await post("/login", { name: nameOf(499), password: PASSWORD });
  const logIns = await atOnce(81, (n) => post("/login", { name: nameOf(n), password: PASSWORD }));
  const friends = [...logIns.map((answer) => answer.body.id), ...colleagues.filter((id) => id !== body.id)];
  await atOnce(100, (n) => post("/add_friend", { user_id: body.id, friend_id: friends[n] }, cookie));
}, 180_000);
