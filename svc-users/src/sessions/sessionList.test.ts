import { registerUser, serveUsers, type TestService } from "../../testing/service.ts";
import { createSessions } from "./session.model.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
const aUser = (name?: string) => registerUser(service, name);

describe("the list of sessions", () => {
  const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0";
  const logIn = (name: string, password = "phoenix!") =>
    service.call("/login", { method: "POST", body: { name, password }, headers: { "user-agent": FIREFOX } });
  const statusWith = async (id: string, cookie: string) => (await service.call(`/users/${id}`, { cookie })).status;
  const endedIn = (from: number) =>
    service.published.slice(from).flatMap(([, event]) => (event.type === "session_ended" ? [event.session_id] : []));

  it("contains device and last use, and ids that are independent of the token", async () => {
    const user = await aUser();
    const { cookie } = await logIn(user.name);
    const { status, body } = await service.call(`/sessions/${user.id}`, { cookie });
    expect(status).toBe(200);
    expect(body).toHaveLength(2);
    expect(body).toContainEqual({
      id: expect.stringMatching(/^[\da-f]{24}$/),
      device: "Firefox on Windows",
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      is_current: true,
    });
    const rows = await service.connection.collection("sessions").find({ user_id: user.id }).toArray();
    const token = cookie.split("=")[1] ?? "";
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const row of rows) expect(JSON.stringify(body)).not.toContain(String(row._id));
  });

  it("reads none of the sessions that have ended, however many they are", async () => {
    const { id } = await aUser();
    const at = new Date();
    const ended = Array.from({ length: 500 }, (_, index) => ({
      _id: `${id} ${index}`,
      user_id: id,
      ended_id: `${index}`,
      device: "Firefox",
      created_at: at,
      last_used_at: at,
      expires_at: new Date(Date.now() + 60_000),
      ended_at: at,
    }));
    await service.connection.collection("sessions").insertMany(ended as never);
    const sessions = createSessions(service.connection.useDb(service.connection.name), { idleDays: 30, maxDays: 180 });
    const { executionStats } = (await sessions.model
      .find({ ...sessions.active(), user_id: id })
      .explain("executionStats")) as unknown as { executionStats: { totalDocsExamined: number } };
    expect(executionStats.totalDocsExamined).toBe(1);
  });

  it("allows a browser to repeat a log-out without ending the session of a later log-in", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const [first] = (await service.call<{ id: string }[]>(`/sessions/${user.id}`, { cookie: user.cookie })).body;
    const logInHere = async ({ name }: { name: string }, cookie: string) =>
      (await service.call("/login", { method: "POST", body: { name, password: "phoenix!" }, cookie })).cookie;
    const repeat = async (cookie: string) =>
      (await service.call(`/sessions/${user.id}/${first?.id}`, { method: "DELETE", cookie })).status;
    const again = await logInHere(user, user.cookie);
    expect([await repeat(user.cookie), await repeat(again), await statusWith(user.id, again)]).toEqual([401, 404, 200]);
    const others = await logInHere(other, again);
    expect([await repeat(others), await statusWith(other.id, others)]).toEqual([403, 200]);
  });

  it("allows a user to end single sessions, but only the own ones", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const elsewhere = await logIn(user.name);
    type Row = { id: string; is_current: boolean };
    const sessions = (await service.call<Row[]>(`/sessions/${user.id}`, { cookie: user.cookie })).body;
    const id = sessions.find((session) => !session.is_current)?.id;
    const end = (owner: string, cookie: string) =>
      service.call(`/sessions/${owner}/${id}`, { method: "DELETE", cookie });
    expect((await end(user.id, other.cookie)).status).toBe(403);
    expect((await end(other.id, other.cookie)).status).toBe(404);
    expect(await statusWith(user.id, elsewhere.cookie)).toBe(200);
    const before = service.published.length;
    expect((await end(user.id, user.cookie)).status).toBe(200);
    expect(endedIn(before)).toEqual([id]);
    expect(await statusWith(user.id, elsewhere.cookie)).toBe(401);
    expect(await statusWith(user.id, user.cookie)).toBe(200);
    expect((await end(user.id, user.cookie)).status).toBe(404);
  });

  it("allows a user to end all own sessions, including the current one, and no others", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const elsewhere = await logIn(user.name);
    const before = service.published.length;
    const response = await service.call(`/sessions/${user.id}`, { method: "DELETE", cookie: elsewhere.cookie });
    expect([response.status, response.cookie]).toEqual([200, ""]);
    expect(endedIn(before)).toHaveLength(2);
    expect(await statusWith(user.id, user.cookie)).toBe(401);
    expect(await statusWith(user.id, elsewhere.cookie)).toBe(401);
    expect(await statusWith(other.id, other.cookie)).toBe(200);
  });

  it("shrinks to the current session when the user changes the password", async () => {
    const user = await aUser();
    const elsewhere = await logIn(user.name);
    const change = (old_password: unknown, new_password: unknown) => {
      const body = { old_password, new_password };
      return service.call(`/users/${user.id}/password`, { method: "POST", cookie: user.cookie, body });
    };
    expect(await change("not this one", "a new phoenix")).toMatchObject({
      status: 403,
      body: { error: "Your current password is wrong" },
    });
    expect((await change("phoenix!", "short")).body).toEqual({ error: "Password needs at least 8 characters" });
    expect((await change({ $ne: "" }, "a new phoenix")).status).toBe(400);
    expect(await statusWith(user.id, elsewhere.cookie)).toBe(200);
    const before = service.published.length;
    expect((await change("phoenix!", "a new phoenix")).status).toBe(200);
    expect(endedIn(before)).toHaveLength(1);
    expect(await statusWith(user.id, user.cookie)).toBe(200);
    expect(await statusWith(user.id, elsewhere.cookie)).toBe(401);
    expect((await logIn(user.name)).status).toBe(401);
    expect((await logIn(user.name, "a new phoenix")).status).toBe(200);
  });
});
