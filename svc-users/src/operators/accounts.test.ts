import { PASSWORD, registerUser, serveUsers, TEST_SECRET } from "../../testing/service.ts";
import { createAccounts } from "./accounts.ts";

let service: Awaited<ReturnType<typeof serveUsers>>;
let accounts: ReturnType<typeof createAccounts>;
beforeAll(async () => {
  service = await serveUsers();
  accounts = createAccounts(service.connection, 4);
});
afterAll(() => service.close());

const aUser = (name: string) => registerUser(service, name);
const logIn = (name: string, password = PASSWORD) =>
  service.call("/login", { method: "POST", body: { name, password } });
const statusOf = async ({ id, cookie }: { id: string; cookie: string }) =>
  (await service.call(`/users/${id}`, { cookie })).status;

it("suspends an account until it is restored, and ends its sessions for other services too", async () => {
  const [bellatrix, other] = [await aUser("Bellatrix"), await aUser("Andromeda")];
  expect(await accounts.suspend("BELLATRIX")).toBe("ended 1 sessions");
  expect([await statusOf(bellatrix), await statusOf(other)]).toEqual([401, 200]);
  expect(await logIn("Bellatrix")).toMatchObject({
    status: 403,
    body: { error: "This account is suspended" },
    cookie: "",
  });
  expect((await logIn("Bellatrix", "wrong")).status).toBe(401);
  const headers = { "x-internal-secret": TEST_SECRET };
  const ended = await service.call("/internal/sessions/ended", { method: "POST", body: {}, headers });
  expect(ended.body).toMatchObject({ sessions: [{ user_id: bellatrix.id }] });
  await accounts.restore("Bellatrix");
  expect((await logIn("Bellatrix")).status).toBe(200);
});

it("refuses a session of a suspended account even if the session was not ended", async () => {
  const user = await aUser("Draco");
  const suspended = { $set: { suspended_at: new Date() } };
  await service.connection.collection("users").updateOne({ name: "Draco" }, suspended);
  expect(await statusOf(user)).toBe(401);
});

it("ends the sessions of an account", async () => {
  const user = await aUser("Narcissa");
  await logIn("Narcissa");
  expect(await accounts.endSessions("Narcissa")).toBe("ended 2 sessions");
  expect(await statusOf(user)).toBe(401);
  expect((await logIn("Narcissa")).status).toBe(200);
});

it("sets a password and ends all sessions", async () => {
  const user = await aUser("Lucius");
  await accounts.setPassword("Lucius", "a peacock walks");
  expect(await statusOf(user)).toBe(401);
  expect((await logIn("Lucius")).status).toBe(401);
  expect((await logIn("Lucius", "a peacock walks")).status).toBe(200);
});

it("rejects an unknown name and a weak password", async () => {
  await expect(accounts.suspend("nobody")).rejects.toThrow('There is no account named "nobody"');
  await expect(accounts.setPassword("Lucius", "short")).rejects.toThrow("Password needs at least 8 characters");
  await expect(accounts.setPassword("Lucius", "password1")).rejects.toThrow("too common");
});
