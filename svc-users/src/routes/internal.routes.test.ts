import type { AccessChange, Session } from "@messageoh/contracts/internal/users";
import {
  listChanges,
  registerUser,
  TEST_SECRET as SECRET,
  serveUsers,
  type TestService,
} from "../../testing/service.ts";

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

  it("get what ends after their first poll, even if the clock of this service is ahead of the database", async () => {
    const { id, cookie } = await aUser();
    const clock = jest.spyOn(Date, "now").mockReturnValue(Date.now() + 600_000);
    const { until } = await listChanges(service);
    clock.mockRestore();
    await service.call("/logout", { method: "POST", cookie });
    const ended = expect.objectContaining({ type: "session_ended", user_id: id });
    expect((await listChanges(service, until)).changes).toContainEqual(ended);
  });

  it("get sessions that ended and friendships that changed in the order of their times, page by page", async () => {
    const timeOf = (index: number) => new Date(Date.UTC(2100, 0, 1, 0, 0, 0, index));
    const names = Array.from({ length: 1_200 }, (_, index) => `change-${String(index).padStart(4, "0")}`);
    const ended = [...names.entries()].filter(([index]) => index % 3 > 0);
    const changed = [...names.entries()].filter(([index]) => index % 3 === 0);
    const collection = (name: string) => service.connection.collection<{ _id: string }>(name);
    await collection("sessions").insertMany(
      ended.map(([index, _id]) => ({ _id, ended_id: _id, user_id: "user", ended_at: timeOf(index) })),
    );
    await collection("friendships").insertMany(
      changed.map(([index, _id]) => ({ _id, pair_key: `${_id}:z`, user_ids: [], changed_at: timeOf(index) })),
    );
    const nameOf = (item: AccessChange) => (item.type === "session_ended" ? item.session_id : item.change.thread_id);
    const first = await listChanges(service, timeOf(0).toISOString());
    expect([first.changes.map(nameOf), first.until, first.has_more]).toEqual([
      names.slice(0, 1_000),
      timeOf(999).toISOString(),
      true,
    ]);
    const second = await listChanges(service, first.until);
    expect([second.changes.map(nameOf), second.until, second.has_more]).toEqual([
      names.slice(999),
      timeOf(1_199).toISOString(),
      false,
    ]);
  });
});
