import { registerUser, serveUsers, TEST_SECRET, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

it("lists ended sessions and changed friendships for services of the previous release", async () => {
  const [one, two] = [await registerUser(service), await registerUser(service)];
  const added = { method: "POST", cookie: one.cookie, body: { user_id: one.id, friend_id: two.id } };
  const { thread_id } = (await service.call<{ thread_id: string }>("/add_friend", added)).body;
  await service.call("/logout", { method: "POST", cookie: one.cookie });
  const list = async (path: string) =>
    (await service.call(path, { method: "POST", body: {}, headers: { "x-internal-secret": TEST_SECRET } })).body;
  expect(await list("/internal/sessions/ended")).toEqual({
    sessions: [{ session_id: expect.any(String), user_id: one.id }],
    until: expect.any(String),
    has_more: false,
  });
  expect(await list("/internal/friendships/changed")).toMatchObject({
    changes: [{ thread_id, user_ids: [one.id, two.id].sort(), is_friends: true }],
    has_more: false,
  });
});
