import type { User } from "@messageoh/contracts/users";
import { friendCalls } from "../../testing/friends.ts";
import { PASSWORD, registerUser, serveUsers, type TestService, type TestUser } from "../../testing/service.ts";

let service: TestService;
let ann: TestUser;
let bob: TestUser;

beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
beforeEach(async () => {
  [ann, bob] = [await registerUser(service), await registerUser(service)];
});

async function linkOf({ id, cookie }: TestUser, method = "GET"): Promise<string> {
  const { body } = await service.call<{ token: string }>(`/users/${id}/invite`, { method, cookie });
  return body.token;
}
const open = ({ cookie }: TestUser, token: string) =>
  service.call<Partial<User> & { error?: string }>(`/invites/${token}`, { cookie });
const REVOKED = { status: 404, body: { error: "This link is not valid any more. Ask for a new one" } };
const UNWANTED = { status: 403, body: { error: "Friend could not be added" } };

it("keeps a user's link, which leads to the user", async () => {
  const token = await linkOf(ann);
  expect(await linkOf(ann)).toBe(token);
  expect(await linkOf(bob)).not.toBe(token);
  expect(token).toMatch(/^[\w-]{22}$/);
  const opened = await open(bob, token);
  expect(opened.body).toEqual({ id: ann.id, name: ann.name, avatar_id: "fox-id" });
  expect((await open(ann, token)).body).toMatchObject({ id: ann.id });
});

it("gives devices that ask for the first link at the same time the same one", async () => {
  const tokens = await Promise.all(Array.from({ length: 5 }, () => linkOf(ann)));
  expect(new Set(tokens).size).toBe(1);
});

it("revokes the former link with a new one", async () => {
  const former = await linkOf(ann);
  const token = await linkOf(ann, "POST");
  expect(await open(bob, former)).toMatchObject(REVOKED);
  expect((await open(bob, token)).body).toMatchObject({ id: ann.id });
});

it("refuses whom the user could not add, like adding, and keeps the link of a friend", async () => {
  const { allow, add, block } = friendCalls(service);
  const token = await linkOf(ann);
  await allow(ann, "nobody");
  expect(await open(bob, token)).toMatchObject(UNWANTED);
  await allow(ann, "everyone");
  await add(bob, ann);
  await allow(ann, "nobody");
  expect((await open(bob, token)).status).toBe(200);
  await allow(ann, "everyone");
  await block(ann, bob);
  expect(await open(bob, token)).toMatchObject(UNWANTED);
});

it("forgets the link of a deleted account", async () => {
  const token = await linkOf(ann);
  const body = { password: PASSWORD, texts: "keep" };
  await service.call(`/users/${ann.id}/deletion`, { method: "POST", cookie: ann.cookie, body });
  expect(await open(bob, token)).toMatchObject(REVOKED);
});
