import { registerUser, serveUsers, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
const aUser = (name?: string) => registerUser(service, name);

describe("users", () => {
  it("change their own avatar to a known one, and their friends are notified", async () => {
    const [one, friend] = [await aUser(), await aUser()];
    const befriend = { method: "POST", cookie: one.cookie, body: { user_id: one.id, friend_id: friend.id } };
    await service.call("/add_friend", befriend);
    const change = (avatar_id: unknown) =>
      service.call(`/users/${one.id}`, { method: "PUT", cookie: one.cookie, body: { avatar_id } });
    expect((await change("koala-id")).body).toEqual({ id: one.id, name: one.name, avatar_id: "koala-id" });
    const notified = service.published.filter(([, event]) => event.type === "user_updated").map(([channel]) => channel);
    expect(notified).toEqual([`user:${one.id}`, `user:${friend.id}`]);
    expect((await change("unicorn-id")).status).toBe(400);
    expect((await service.call(`/users/${one.id}`, { cookie: one.cookie })).body).toMatchObject({
      avatar_id: "koala-id",
    });
  });

  it("are found by a part of the name in any case; patterns have no effect", async () => {
    const [one] = [await aUser("Searcher"), await aUser("Hermione.*"), await aUser("Hermes")];
    const search = async (text: string) =>
      (
        await service.call<{ name: string }[]>(`/users?search=${encodeURIComponent(text)}`, { cookie: one.cookie })
      ).body.map((user) => user.name);
    expect(await search("HERM")).toEqual(["Hermes", "Hermione.*"]);
    expect(await search(".*")).toEqual(["Hermione.*"]);
    const next = await service.call("/users?search=herm&limit=1&after=HERMES", { cookie: one.cookie });
    expect(next.body).toMatchObject([{ name: "Hermione.*" }]);
    expect((await service.call("/users?limit=0", { cookie: one.cookie })).status).toBe(400);
  });
});
