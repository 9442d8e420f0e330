import { registerUser, serveUsers, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
const aUser = (name?: string) => registerUser(service, name);

describe("sessions", () => {
  it("are required for every call and valid for their own user only", async () => {
    const [one, other] = [await aUser(), await aUser()];
    const calls: [string, object][] = [
      [`/users/${other.id}`, {}],
      [`/users/${other.id}`, { method: "PUT", body: { avatar_id: "dog-id" } }],
      [`/friends/${other.id}`, {}],
      ["/add_friend", { method: "POST", body: { user_id: other.id, friend_id: one.id } }],
    ];
    for (const [path, call] of calls) {
      expect([path, (await service.call(path, call)).status]).toEqual([path, 401]);
      expect([path, (await service.call(path, { ...call, cookie: `${one.cookie}x` })).status]).toEqual([path, 401]);
      expect([path, (await service.call(path, { ...call, cookie: one.cookie })).status]).toEqual([path, 403]);
    }
    expect((await service.call("/users")).status).toBe(401);
  });
});

describe("every response", () => {
  it("carries a request id: the caller's if it is valid, otherwise a new one", async () => {
    const given = await service.call("/healthz", { headers: { "x-request-id": "abc-1" } });
    const made = await service.call("/healthz", { headers: { "x-request-id": "with space" } });
    expect(given.headers.get("x-request-id")).toBe("abc-1");
    expect(made.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });

  it("is JSON with an error for an unknown path or method", async () => {
    expect(await service.call("/nothing")).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await service.call("/login", { method: "DELETE" })).toMatchObject({
      status: 405,
      body: { error: expect.any(String) },
    });
    expect((await service.call("/readyz")).status).toBe(200);
  });
});
