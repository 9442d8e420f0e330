import type { PushPayload } from "@messageoh/contracts/push";

const PUSH: PushPayload = { user_id: "me", thread_id: "with-ann", friend_id: "ann", name: "Ann" };

// Not imported, because the types of a service worker contradict those of a page.
const { closeReadElsewhere } = jest.requireActual("./readElsewhere.ts");
afterEach(() => jest.restoreAllMocks());

/**
 * Handles a push while notifications of these friends are shown; the call for a thread gets this response, or fails
 * without one. Returns whose notifications are closed, and the calls.
 */
async function pushWith(shown: string[], responses: Record<string, Response>, push = PUSH) {
  const closed: string[] = [];
  const calls: string[] = [];
  const notifications = shown.map((friend) => ({
    data: { thread_id: `with-${friend}`, friend_id: friend },
    close: () => closed.push(friend),
  }));
  jest.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
    calls.push(String(address));
    const thread = new URL(String(address), "http://localhost").searchParams.get("thread_id") ?? "";
    const response = responses[thread.replace("with-", "")];
    if (!response) throw new TypeError("Failed to fetch");
    return response;
  });
  await closeReadElsewhere(push, notifications);
  return { closed, calls };
}
const newest = (message: object) => Response.json([message]);
const READ = { sending_user_id: "bob", read: true };
const UNREAD = { sending_user_id: "bob", read: false };

describe("a push while notifications of other threads are shown", () => {
  it.each<[string, boolean, Response]>([
    ["whose newest message is read", true, newest(READ)],
    ["whose newest message is unread", false, newest(UNREAD)],
    ["whose newest message is the user's own", true, newest({ sending_user_id: "me", read: false })],
    ["whose friendship has ended", true, Response.json({ error: "Forbidden" }, { status: 403 })],
    ["while the session has ended", false, Response.json({ error: "Please log in" }, { status: 401 })],
    ["while the server fails", false, Response.json({ error: "Busy" }, { status: 503 })],
    ["while the gateway responds with something else", false, new Response("<html>")],
  ])("handles a thread %s (closed: %s)", async (_, isClosed, response) => {
    expect((await pushWith(["bob"], { bob: response })).closed).toEqual(isClosed ? ["bob"] : []);
  });

  it("closes only what is read, whatever happens to the other calls", async () => {
    const { closed } = await pushWith(["bob", "cleo", "dan"], { bob: newest(UNREAD), dan: newest(READ) });
    expect(closed).toEqual(["dan"]);
  });

  it("leaves its own notification, and makes no call for it", async () => {
    const { closed, calls } = await pushWith(["ann", "bob"], { ann: newest(READ), bob: newest(READ) });
    expect(closed).toEqual(["bob"]);
    expect(calls).toEqual(["/messageoh/messages/me?thread_id=with-bob&limit=1"]);
  });

  it("makes at most ten calls", async () => {
    const many = Array.from({ length: 30 }, (_, index) => `friend${index}`);
    expect((await pushWith(many, {})).calls).toHaveLength(10);
  });
});
