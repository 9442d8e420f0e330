import * as contract from "@messageoh/contracts/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { endpointsOf } from "@messageoh/service-kit/testing/contracts";
import { generousLimits } from "../testing/rateLimits.ts";
import { as, serveMessages, type TestService } from "../testing/service.ts";

const FEW = { count: 3, seconds: 900 };
let service: TestService;

beforeAll(async () => {
  const users = new FakeUsers([threadBetween("ann", "bob")]);
  service = await serveMessages(users, {
    rates: { lists: FEW, threads: FEW, searches: FEW, markers: FEW, changes: { count: 21, seconds: 900 } },
  });
});
afterAll(() => service.close());

it.each([
  ["lists over all threads", "/messages/USER", {}],
  ["lists of threads", "/threads/USER", {}],
  ["searches", "/messages/USER?search=a", {}],
  ["markers", "/update_message_read", { method: "PUT", body: { thread_id: "ann-bob", seq: 0 } }],
])("limits %s per user", async (_, path, options) => {
  const call = (user: string) => service.call(path.replace("USER", user), { ...options, ...as(user) });
  for (let count = 0; count < FEW.count; count += 1) expect((await call("ann")).status).toBe(200);
  const refused = await call("ann");
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatch(/too fast\. Please try again in 15 minutes/);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(850);
  expect((await call("bob")).status).toBe(200);
});

it("counts pages of one thread by the limit of all reads only", async () => {
  for (let count = 0; count <= FEW.count; count += 1) {
    const { status } = await service.call("/messages/cyd?thread_id=ann-bob", { cookie: "messageoh_session=TOKEN-cyd" });
    expect(status).toBe(403);
  }
});

it.each([
  ["invalid", "dan", 400],
  ["forbidden", "eve", 403],
])("counts a call that is %s as ten", async (_, user, status) => {
  const body = status === 400 ? { emoji: 1 } : { emoji: null };
  const react = () => service.call(`/messages/${user}/ann-bob/1/reaction`, { method: "PUT", body, ...as(user) });
  const statuses = [await react(), await react(), await react(), await react()].map((response) => response.status);
  expect(statuses).toEqual([status, status, status, 429]);
});

it("has a limit for every call that browsers make", () => {
  const limits = generousLimits();
  const calls = endpointsOf(contract).filter(([, { path }]) => !path.startsWith("/internal/"));
  expect(calls.length).toBeGreaterThan(2);
  for (const [name, endpoint] of calls) expect([name, typeof limits.of(endpoint).take]).toEqual([name, "function"]);
});
