import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import { TEST_SECRET as SECRET, serveUsers } from "../testing/service.ts";

let service: Awaited<ReturnType<typeof serveUsers>>;
let counter = 0;

beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

async function aUser(name = `Albus${++counter}`) {
  const { body, cookie } = await service.call("/users", {
    method: "POST",
    body: { name, password: "phoenix!", avatar_id: "fox-id" },
  });
  return { id: body.id as string, name, cookie };
}
const register = (body: unknown) => service.call("/users", { method: "POST", body });
const good = { name: "Minerva", password: "tabby-cat", avatar_id: "cat-id" };

describe("registration", () => {
  it("answers the id and starts a session in a cookie that scripts cannot read", async () => {
    const answer = await register(good);
    expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    expect(answer.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
    expect(answer.headers.get("set-cookie")).not.toMatch(/Secure/);
    const user = await service.call(`/users/${answer.body.id}`, { cookie: answer.cookie });
    expect(user.body).toEqual({ id: answer.body.id, name: "Minerva", avatar_id: "cat-id" });
  });

  it("binds the cookie to https where the gateway speaks it", async () => {
    const { headers } = await service.call("/users", {
      method: "POST",
      body: { ...good, name: "Secure" },
      headers: { "x-forwarded-proto": "https" },
    });
    expect(headers.get("set-cookie")).toMatch(/^__Host-messageoh_session=.*Path=\/.*Secure/);
  });

  it("takes no other cookie there, which a neighbouring site could have planted", async () => {
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

  it("refuses a name that differs only in case or Unicode form", async () => {
    await aUser("Zoë");
    for (const name of ["zoë", "ZOË", "Zoe\u0308", "  Zoë  "]) {
      const answer = await register({ ...good, name });
      expect([name, answer.status, answer.body]).toEqual([name, 409, { error: "This username is already taken" }]);
    }
  });

  it("gives one of two who ask at once the name", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => register({ ...good, name: "Twin" })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });

  it.each([
    ["a missing name", { ...good, name: undefined }],
    ["a blank name", { ...good, name: "   " }],
    ["a name that nobody sees", { ...good, name: "\u200b \u2060\u202e" }],
    ["a long name", { ...good, name: "x".repeat(31) }],
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
  ])("refuses %s and stores nothing", async (_, body) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual(expect.any(String));
    const { cookie } = await aUser();
    const names = (await service.call("/users", { cookie })).body.map((user: { name: string }) => user.name);
    expect(names).not.toContain("x".repeat(31));
    expect(names).not.toContain("");
  });

  it("counts an emoji as one character of a name", async () => {
    expect((await register({ ...good, name: "🦊".repeat(30) })).status).toBe(200);
  });

  it("refuses malformed JSON, another content type and an oversized body with the right status", async () => {
    expect((await service.call("/users", { method: "POST", raw: "{" })).status).toBe(400);
    expect(
      (await service.call("/users", { method: "POST", raw: "a=b", headers: { "content-type": "text/plain" } })).status,
    ).toBe(415);
    expect((await register({ ...good, name: "x".repeat(101_000) })).status).toBe(413);
    expect((await service.call("/users", { method: "POST" })).status).toBe(400);
  });
});

describe("login", () => {
  it("answers the user and starts a session, whatever the case of the name", async () => {
    const user = await aUser("Severus");
    const answer = await service.call("/login", { method: "POST", body: { name: "sEVERUS", password: "phoenix!" } });
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, name: "Severus", avatar_id: "fox-id" } });
    expect((await service.call(`/users/${user.id}`, { cookie: answer.cookie })).status).toBe(200);
  });

  it("answers an unknown name and a wrong password alike", async () => {
    const user = await aUser();
    const wrong = await service.call("/login", { method: "POST", body: { name: user.name, password: "not this one" } });
    const unknown = await service.call("/login", { method: "POST", body: { name: "nobody", password: "phoenix!" } });
    expect([wrong.status, wrong.body, wrong.cookie]).toEqual([401, { error: "Wrong username or password" }, ""]);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  it("refuses operator objects", async () => {
    const body = { name: { $gt: "" }, password: { $gt: "" } };
    expect((await service.call("/login", { method: "POST", body })).status).toBe(400);
  });

  it("ends the session at log-out and says so on the bus", async () => {
    const user = await aUser();
    expect((await service.call("/logout", { method: "POST", cookie: user.cookie })).status).toBe(200);
    expect((await service.call(`/users/${user.id}`, { cookie: user.cookie })).status).toBe(401);
    expect(service.published.at(-1)).toMatchObject(["sessions", { type: "session_ended", user_id: user.id }]);
  });
});

describe("the sessions of a user", () => {
  const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0";
  const logIn = (name: string, password = "phoenix!") =>
    service.call("/login", { method: "POST", body: { name, password }, headers: { "user-agent": FIREFOX } });
  const statusWith = async (id: string, cookie: string) => (await service.call(`/users/${id}`, { cookie })).status;
  const endedIn = (from: number) =>
    service.published.slice(from).flatMap(([, event]) => (event.type === "session_ended" ? [event.session_id] : []));

  it("are listed with device and last use, under ids that say nothing of the token", async () => {
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

  it("can be ended one by one, and only by their user", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const elsewhere = await logIn(user.name);
    const sessions = (await service.call(`/sessions/${user.id}`, { cookie: user.cookie })).body;
    const { id } = sessions.find((session: { is_current: boolean }) => !session.is_current);
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

  it("end all together, the one that asks as well, and nobody else's", async () => {
    const [user, other] = [await aUser(), await aUser()];
    const elsewhere = await logIn(user.name);
    const before = service.published.length;
    const answer = await service.call(`/sessions/${user.id}`, { method: "DELETE", cookie: elsewhere.cookie });
    expect([answer.status, answer.cookie]).toEqual([200, "messageoh_session="]);
    expect(endedIn(before)).toHaveLength(2);
    expect(await statusWith(user.id, user.cookie)).toBe(401);
    expect(await statusWith(user.id, elsewhere.cookie)).toBe(401);
    expect(await statusWith(other.id, other.cookie)).toBe(200);
  });

  it("end with a new password, but for the one that set it", async () => {
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

describe("a session", () => {
  it("is asked for everywhere, and is good for its own user only", async () => {
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

  it("changes its own avatar to one that exists, and tells the friends", async () => {
    const [one, friend] = [await aUser(), await aUser()];
    const befriend = { method: "POST", cookie: one.cookie, body: { user_id: one.id, friend_id: friend.id } };
    await service.call("/add_friend", befriend);
    const change = (avatar_id: unknown) =>
      service.call(`/users/${one.id}`, { method: "PUT", cookie: one.cookie, body: { avatar_id } });
    expect((await change("koala-id")).body).toEqual({ id: one.id, name: one.name, avatar_id: "koala-id" });
    const told = service.published.filter(([, event]) => event.type === "user_updated").map(([channel]) => channel);
    expect(told).toEqual([`user:${one.id}`, `user:${friend.id}`]);
    expect((await change("unicorn-id")).status).toBe(400);
    expect((await service.call(`/users/${one.id}`, { cookie: one.cookie })).body.avatar_id).toBe("koala-id");
  });
});

describe("friends", () => {
  const add = (user: { id: string; cookie: string }, friend_id: unknown) =>
    service.call("/add_friend", { method: "POST", cookie: user.cookie, body: { user_id: user.id, friend_id } });

  it("are mutual, with one thread, whoever adds whom and however often", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const answers = await Promise.all([add(one, two.id), add(two, one.id), add(one, two.id)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const thread_id = answers[0]?.body.thread_id;
    expect(thread_id).toEqual(expect.any(String));
    const [toTwo, toOne] = [two.id, one.id].map((friend_id) => ({ friend_id, thread_id }));
    expect(answers.map((answer) => answer.body)).toEqual([toTwo, toOne, toTwo]);
    const friendsOf = async (user: typeof one) =>
      (await service.call(`/friends/${user.id}`, { cookie: user.cookie })).body;
    expect(await friendsOf(one)).toEqual([{ id: two.id, name: two.name, avatar_id: "fox-id" }]);
    expect(await friendsOf(two)).toEqual([{ id: one.id, name: one.name, avatar_id: "fox-id" }]);
  });

  it("are at most 1,000 of one user, whoever adds whom", async () => {
    const [full, known, one] = [await aUser(), await aUser(), await aUser()];
    expect((await add(full, known.id)).status).toBe(200);
    const rows = Array.from({ length: FRIENDS_MAX - 1 }, (_, index) => {
      const user_ids = [full.id, `somebody-${index}`];
      return { _id: `${full.id}-${index}`, pair_key: user_ids.join(":"), user_ids, created_at: new Date() };
    });
    await service.connection.collection("friendships").insertMany(rows as never);
    expect(await add(full, one.id)).toMatchObject({ status: 409, body: { error: "You have 1000 friends already" } });
    expect(await add(one, full.id)).toMatchObject({
      status: 409,
      body: { error: "This user has too many friends already" },
    });
    expect((await add(full, known.id)).status).toBe(200);
  });

  it("learn of each other on the bus, with the starting message of their thread", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const { thread_id } = (await add(one, two.id)).body;
    expect(service.published.slice(-2)).toMatchObject([
      [`user:${two.id}`, { friend: { id: one.id }, message_thread: { thread_id, friendParticipantId: one.id } }],
      [`user:${one.id}`, { friend: { id: two.id }, message_thread: { thread_id, messages: [{ seq: 0, text: "" }] } }],
    ]);
  });

  it("are never oneself, nobody or an operator", async () => {
    const one = await aUser();
    const answerTo = async (friend_id: unknown) => {
      const { status, body } = await add(one, friend_id);
      return [status, body];
    };
    expect(await answerTo(one.id)).toEqual([400, { error: "You cannot add yourself" }]);
    expect(await answerTo("000000000000000000000000")).toEqual([404, { error: "This user does not exist" }]);
    expect(await answerTo({ $ne: null })).toEqual([400, { error: expect.stringMatching(/id must be a text/) }]);
    expect((await service.call(`/friends/${one.id}`, { cookie: one.cookie })).body).toEqual([]);
  });

  it("are found by part of a name, without regard to case and without patterns", async () => {
    const [one] = [await aUser("Searcher"), await aUser("Hermione.*"), await aUser("Hermes")];
    const search = async (text: string) =>
      (await service.call(`/users?search=${encodeURIComponent(text)}`, { cookie: one.cookie })).body.map(
        (user: { name: string }) => user.name,
      );
    expect(await search("HERM")).toEqual(["Hermes", "Hermione.*"]);
    expect(await search(".*")).toEqual(["Hermione.*"]);
    const next = await service.call("/users?search=herm&limit=1&after=HERMES", { cookie: one.cookie });
    expect(next.body).toMatchObject([{ name: "Hermione.*" }]);
    expect((await service.call("/users?limit=0", { cookie: one.cookie })).status).toBe(400);
  });
});

describe("other services", () => {
  const lookUp = (token: string, secret: string) =>
    service.call("/internal/sessions/lookup", {
      method: "POST",
      body: { token },
      headers: { "x-internal-secret": secret },
    });

  it("learn who is behind a session, with the shared secret only", async () => {
    const user = await aUser();
    const token = user.cookie.split("=")[1] ?? "";
    expect((await lookUp(token, SECRET)).body.session.user.id).toBe(user.id);
    expect((await lookUp("unknown", SECRET)).body).toEqual({ session: null });
    expect((await lookUp(token, "a secret of sixteen charachters")).status).toBe(404);
    expect((await lookUp(token, "")).status).toBe(404);
  });

  it("learn who is in a thread", async () => {
    const [one, two] = [await aUser(), await aUser()];
    const body = { user_id: one.id, friend_id: two.id };
    const { thread_id } = (await service.call("/add_friend", { method: "POST", cookie: one.cookie, body })).body;
    const headers = { "x-internal-secret": SECRET };
    const thread = (await service.call(`/internal/threads/${thread_id}`, { headers })).body.thread;
    expect([...thread.user_ids].sort()).toEqual([one.id, two.id].sort());
    expect((await service.call("/internal/threads/unknown", { headers })).body).toEqual({ thread: null });
    expect((await service.call(`/internal/users/${two.id}/threads`, { headers })).body).toEqual([thread]);
  });
});

describe("every answer", () => {
  it("carries a request id, the caller's own if it is a plain one", async () => {
    const given = await service.call("/healthz", { headers: { "x-request-id": "abc-1" } });
    const made = await service.call("/healthz", { headers: { "x-request-id": "with space" } });
    expect(given.headers.get("x-request-id")).toBe("abc-1");
    expect(made.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });

  it("is JSON with an error for what does not exist", async () => {
    expect(await service.call("/nothing")).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await service.call("/login", { method: "DELETE" })).toMatchObject({
      status: 405,
      body: { error: expect.any(String) },
    });
    expect((await service.call("/readyz")).status).toBe(200);
  });
});
