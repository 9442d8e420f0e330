import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { registerUser, serveUsers } from "../../testing/service.ts";
import { nameSkeletons } from "./nameSkeletons.ts";

let service: Awaited<ReturnType<typeof serveUsers>>;
beforeAll(async () => {
  service = await serveUsers();
});
afterAll(() => service.close());

const register = (name: string, on = service) =>
  on.call<{ id: string }>("/users", { method: "POST", body: { name, password: "phoenix!", avatar_id: "fox-id" } });

it.each([
  ["a zero-width space", "alice\u200b"],
  ["a zero-width joiner", "ali\u200dce"],
  ["a right-to-left override", "\u202eecila"],
  ["a bidirectional isolate", "ali\u2066ce"],
  ["a soft hyphen", "ali\u00adce"],
  ["a Hangul filler", "alice\u3164"],
  ["a variation selector", "alice\ufe0f"],
  ["a tag character", "alice\u{e0061}"],
  ["a line separator", "ali\u2028ce"],
  ["a blank Braille pattern", "alice\u2800"],
  ["a private-use character", "alice\ue000"],
  ["a lone surrogate", "alice\ud800"],
])("rejects a name with %s", async (_, name) => {
  expect(await register(name)).toMatchObject({ status: 400, body: { error: "Username contains invalid characters" } });
});

it.each(["a\u0301\u0302\u0303\u0304\u0305lice", "\u0301alice"])("rejects stacked combining marks: %j", async (name) => {
  const error = "Username has too many accents on one letter";
  expect(await register(name)).toMatchObject({ status: 400, body: { error } });
});

it.each(["Nguyễn Thế Anh", "Nguye\u0302\u0303n", "ประยุทธ์", "हिन्दी", "שָׁלוֹם", "李小龍", "محمد", "🦊 fox"])(
  "accepts %s",
  async (name) => {
    expect((await register(name)).status).toBe(200);
  },
);

it.each([
  ["paypal", "pаypal", "Cyrillic а"],
  ["Alpine", "AIpine", "capital I for l"],
  ["room 101", "rоom lOl", "letters for digits"],
  ["modern", "rnodern", "rn for m"],
  ["Ivan", "Іvan", "Ukrainian І"],
  ["ivan the 2nd", "Іvan the 2nd", "Ukrainian І for i"],
  ["Mom", "Μom", "Greek Μ"],
  ["two  words", "two words", "two spaces"],
  ["Zoë B", "Zoё B", "Cyrillic ё"],
])("rejects, after %s, the name %s that looks the same (%s)", async (name, alike) => {
  expect((await register(name)).status).toBe(200);
  expect(await register(alike)).toMatchObject({ status: 409, body: { error: "This username is already taken" } });
});

it.each([
  "Deleted account",
  "hidden account",
  "admin",
  "SYSTEM",
  "Suрport",
  "Messageoh",
  "Аdmin",
  "adrnin",
  "deleted  account",
])("keeps %s, which looks like a part of the product, from everyone", async (name) => {
  expect(await register(name)).toMatchObject({ status: 409, body: { error: "This username is already taken" } });
  const { id, cookie } = await registerUser(service);
  const rename = { method: "PUT", cookie, body: { name } };
  expect(await service.call(`/users/${id}/name`, rename)).toMatchObject({
    status: 409,
    body: { error: "This username is already taken" },
  });
});

it("keeps a reserved name with the account that had it before it was reserved", async () => {
  const { id, cookie } = await registerUser(service);
  const users = service.connection.collection<{ _id: string }>("users");
  const stored = { name: "Admin", name_key: "admin", name_skeletons: nameSkeletons("Admin") };
  await users.updateOne({ _id: id }, { $set: stored });
  const logIn = { method: "POST", body: { name: "admin", password: "phoenix!" } };
  expect(await service.call("/login", logIn)).toMatchObject({ status: 200, body: { id, name: "Admin" } });
  const rename = { method: "PUT", cookie, body: { name: "Admin" } };
  expect(await service.call(`/users/${id}/name`, rename)).toMatchObject({ status: 200, body: { name: "Admin" } });
});

it("gives different skeletons to names that look different", () => {
  const names = [
    "ann",
    "anna",
    "anne",
    "user10",
    "user11",
    "user100",
    "Олег",
    "Ольга",
    "李",
    "張",
    "a-b",
    "a_b",
    "a b",
  ];
  expect(new Set(names.flatMap((name) => nameSkeletons(name)[0])).size).toBe(names.length);
});

it("accepts one of several simultaneous registrations with names that look the same", async () => {
  const responses = await Promise.all(["Rogue", "Rоgue", "Rogսe"].map((name) => register(name)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

it("keeps older names working, even if they look the same", async () => {
  const { connection, drop } = await openTestDatabase();
  const service = await serveUsers({}, { connection });
  const ids: string[] = [];
  for (const name of ["first", "second", "third"]) ids.push((await register(name, service)).body.id);
  // The form in which an older release stored them. The oldest account has the skeletons.
  const users = connection.collection<{ _id: string; name_skeletons?: string[] }>("users");
  const names = ["Hagrid", "Hаgrid", "Hagrid\u200b"];
  for (const [index, name] of names.entries()) {
    const [_id, $set] = [ids[index] as string, { name, name_key: name.toLowerCase() }];
    if (index === 0) await users.updateOne({ _id }, { $set: { ...$set, name_skeletons: nameSkeletons(name) } });
    else await users.updateOne({ _id }, { $set, $unset: { name_skeletons: 1 } as const });
  }
  for (const [index, name] of names.entries()) {
    const response = await service.call<{ id: string }>("/login", {
      method: "POST",
      body: { name, password: "phoenix!" },
    });
    expect([response.status, response.body.id]).toEqual([200, ids[index]]);
  }
  expect((await register("Hаgrіd", service)).status).toBe(409);
  await service.close();
  await drop();
});
