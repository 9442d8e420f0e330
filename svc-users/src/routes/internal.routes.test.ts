import type { Session } from "@messageoh/contracts/internal/users";
import { registerUser, TEST_SECRET as SECRET, serveUsers, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());
const aUser = (name?: string) => registerUser(service, name);

describe("other services", () => {
  const lookUp = (tokens: string[], secret: string) =>
    service.call<{ sessions: (Session | null)[] }>("/internal/sessions/lookups", {
      method: "POST",
      body: { tokens },
      headers: { "x-internal-secret": secret },
    });

  it("get the user of a session, but only with the shared secret", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const tokens = [two.cookie, "=unknown", one.cookie, two.cookie].map((cookie) => cookie.split("=")[1] ?? "");
    const ids = (await lookUp(tokens, SECRET)).body.sessions.map((session) => session?.user.id ?? null);
    expect(ids).toEqual([two.id, null, one.id, two.id]);
    expect((await lookUp(tokens, "a secret of sixteen charachters")).status).toBe(404);
    expect((await lookUp(tokens, "")).status).toBe(404);
  });

  it("get the members of a thread", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const body = { user_id: one.id, friend_id: two.id };
    const added = { method: "POST", cookie: one.cookie, body };
    const { thread_id } = (await service.call<{ thread_id: string }>("/add_friend", added)).body;
    const headers = { "x-internal-secret": SECRET };
    type Found = { thread: { user_ids: string[] } };
    const { thread } = (await service.call<Found>(`/internal/threads/${thread_id}`, { headers })).body;
    expect([...thread.user_ids].sort()).toEqual([one.id, two.id].sort());
    expect((await service.call("/internal/threads/unknown", { headers })).body).toEqual({ thread: null });
    const ofTwo = { method: "POST", body: { user_ids: [two.id] }, headers };
    expect((await service.call("/internal/threads/lists", ofTwo)).body).toEqual([thread]);
  });
});
