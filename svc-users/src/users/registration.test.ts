import { registerUser, serveUsers, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

const aUser = (name?: string) => registerUser(service, name);
const register = (body: unknown) => service.call<{ id: string; error: string }>("/users", { method: "POST", body });
const good = { name: "Minerva", password: "tabby-cat", avatar_id: "cat-id" };

describe("registration", () => {
  it("returns the id and starts a session in a cookie that scripts cannot read", async () => {
    const response = await register(good);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ id: expect.any(String) });
    expect(response.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
    expect(response.headers.get("set-cookie")).not.toMatch(/Secure/);
    const user = await service.call(`/users/${response.body.id}`, { cookie: response.cookie });
    expect(user.body).toEqual({ id: response.body.id, name: "Minerva", avatar_id: "cat-id" });
  });

  it("binds the cookie to the host over https", async () => {
    const { headers } = await service.call("/users", {
      method: "POST",
      body: { ...good, name: "Secure" },
      headers: { "x-forwarded-proto": "https" },
    });
    expect(headers.get("set-cookie")).toMatch(/^__Host-messageoh_session=.*Path=\/.*Secure/);
  });

  it("accepts no other session cookie over https, because another site could have set it", async () => {
    const { id, cookie } = await aUser();
    const over = (scheme: string, name: string) =>
      service.call(`/users/${id}`, {
        cookie: `${name}=${cookie.split("=")[1]}`,
        headers: { "x-forwarded-proto": scheme },
      });
    expect((await over("http", "messageoh_session")).status).toBe(200);
    expect((await over("https", "messageoh_session")).status).toBe(401);
    expect((await over("https", "__Host-messageoh_session")).status).toBe(200);
  });

  it("rejects a name that differs only in case or Unicode form", async () => {
    await aUser("Zoë");
    for (const name of ["zoë", "ZOË", "Zoe\u0308", "  Zoë  "]) {
      const response = await register({ ...good, name });
      expect([name, response.status, response.body]).toEqual([name, 409, { error: "This username is already taken" }]);
    }
  });

  it("gives a name to one of several simultaneous registrations", async () => {
    const responses = await Promise.all([1, 2, 3].map(() => register({ ...good, name: "Twin" })));
    expect(responses.map((response) => response.status).sort()).toEqual([200, 409, 409]);
  });

  it.each([
    ["a missing name", { ...good, name: undefined }],
    ["a blank name", { ...good, name: "   " }],
    ["an invisible name", { ...good, name: "\u200b \u2060\u202e" }],
    ["a long name", { ...good, name: "x".repeat(31) }],
    ["a name with a thousand accents", { ...good, name: `x${"\u0301".repeat(1_000)}` }],
    ["a name with a control character", { ...good, name: "a\u0000b" }],
    ["an operator object as name", { ...good, name: { $gt: "" } }],
    ["a list as name", { ...good, name: ["a"] }],
    ["a short password", { ...good, password: "1234567" }],
    ["a password beyond 72 bytes", { ...good, password: "ü".repeat(37) }],
    ["an operator object as password", { ...good, password: { $ne: null } }],
    ["an unknown avatar", { ...good, avatar_id: "unicorn-id" }],
    ["a missing avatar", { ...good, avatar_id: undefined }],
    ["a list", []],
    ["null", null],
  ])("rejects %s and stores nothing", async (_, body) => {
    const users = service.connection.collection("users");
    const before = await users.countDocuments();
    const response = await register(body);
    expect(response.status).toBe(400);
    expect(response.body.error).toEqual(expect.any(String));
    expect(await users.countDocuments()).toBe(before);
    const { cookie } = await aUser();
    const names = (await service.call<{ name: string }[]>("/users", { cookie })).body.map((user) => user.name);
    expect(names).not.toContain("x".repeat(31));
    expect(names).not.toContain("");
  });

  it("counts an emoji as one character of a name", async () => {
    expect((await register({ ...good, name: "🦊".repeat(30) })).status).toBe(200);
  });

  it("rejects malformed JSON, another content type and an oversized body with the right status", async () => {
    expect((await service.call("/users", { method: "POST", raw: "{" })).status).toBe(400);
    expect(
      (await service.call("/users", { method: "POST", raw: "a=b", headers: { "content-type": "text/plain" } })).status,
    ).toBe(415);
    const error = "The request is larger than 5 kB";
    expect(await register({ ...good, name: "x".repeat(5_500) })).toMatchObject({ status: 413, body: { error } });
    expect((await service.call("/users", { method: "POST" })).status).toBe(400);
  });
});
