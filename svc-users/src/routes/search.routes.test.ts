import { registerUser, serveUsers, type TestService, type TestUser } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

it.each([
  ["the search for users", () => "/users?search=nobody"],
  ["the list of users", () => "/users"],
  ["the list of friends", ({ id }: TestUser) => `/friends/${id}`],
  ["the list of blocked people", ({ id }: TestUser) => `/users/${id}/blocked`],
])("serves %s to everyone in turn, and refuses a user who asks for many at once", async (_, pathOf) => {
  const [busy, other] = [await registerUser(service), await registerUser(service)];
  const ended: string[] = [];
  const ask = async (user: TestUser, name: string) => {
    const { status, headers } = await service.call(pathOf(user), { cookie: user.cookie });
    if (status === 429) expect(headers.get("retry-after")).toBe("1");
    ended.push(name);
    return status;
  };
  const many = Promise.all(Array.from({ length: 60 }, (_, index) => ask(busy, `busy ${index}`)));
  expect(await ask(other, "other")).toBe(200);
  const statuses = await many;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(ended.indexOf("other")).toBeLessThan(ended.indexOf(`busy ${statuses.lastIndexOf(200)}`));
});
