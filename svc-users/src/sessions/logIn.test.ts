import { registerUser, serveUsers, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
const aUser = (name?: string) => registerUser(service, name);

describe("log-in", () => {
  it("returns the user and starts a session, for the name in any case", async () => {
    const user = await aUser("Severus");
    const response = await service.call("/login", { method: "POST", body: { name: "sEVERUS", password: "phoenix!" } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ id: user.id, name: "Severus", avatar_id: "fox-id" });
    expect((await service.call(`/users/${user.id}`, { cookie: response.cookie })).status).toBe(200);
  });

  it("names the session in a cookie that scripts can read, like a registration", async () => {
    const body = { name: "Regulus", password: "phoenix!" };
    const registered = await service.call("/users", { method: "POST", body: { ...body, avatar_id: "fox-id" } });
    const loggedIn = await service.call<{ id: string }>("/login", { method: "POST", body });
    const named = [registered, loggedIn].map(({ headers }) =>
      headers.getSetCookie().filter((text) => !text.includes("HttpOnly")),
    );
    const lists = await Promise.all(
      [registered, loggedIn].map(({ cookie }) =>
        service.call<{ id: string; is_current: boolean }[]>(`/sessions/${loggedIn.body.id}`, { cookie }),
      ),
    );
    const current = lists.map((list) => list.body.find(({ is_current }) => is_current)?.id);
    expect(named).toEqual(
      current.map((id) => [`messageoh_session_id=${id}; Path=/; SameSite=Strict; Max-Age=${180 * 24 * 60 * 60}`]),
    );
  });

  it("gives the same response to an unknown name and to a wrong password", async () => {
    const user = await aUser();
    const wrong = await service.call("/login", { method: "POST", body: { name: user.name, password: "not this one" } });
    const unknown = await service.call("/login", { method: "POST", body: { name: "nobody", password: "phoenix!" } });
    expect([wrong.status, wrong.body, wrong.cookie]).toEqual([401, { error: "Wrong username or password" }, ""]);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  it("rejects operator objects", async () => {
    const body = { name: { $gt: "" }, password: { $gt: "" } };
    expect((await service.call("/login", { method: "POST", body })).status).toBe(400);
  });

  it("is undone by log-out, which ends the session and publishes its end", async () => {
    const user = await aUser();
    expect((await service.call("/logout", { method: "POST", cookie: user.cookie })).status).toBe(200);
    expect((await service.call(`/users/${user.id}`, { cookie: user.cookie })).status).toBe(401);
    expect(service.published.at(-1)).toMatchObject(["sessions", { type: "session_ended", user_id: user.id }]);
  });
});
