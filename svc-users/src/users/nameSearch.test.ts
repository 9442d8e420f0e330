import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { registerUser, serveUsers } from "../../testing/service.ts";
import { addNameParts, nameParts, searchNames } from "./nameSearch.ts";
import { createUserModel, nameKey, newId } from "./user.model.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.drop());

const rowOf = (name: string) => ({ _id: newId() as never, name, name_key: nameKey(name), name_parts: nameParts(name) });

async function storedUsers(names: readonly string[]) {
  const users = createUserModel(database.connection);
  await users.createIndexes();
  if (names.length > 0) await users.collection.insertMany(names.map(rowOf));
  const search = async (text: string) => (await searchNames(users, {}, text)).map(({ name }) => name);
  return { users, search };
}

it.each([
  ["the beginning", "her", ["Hermes", "Hermione Granger", "Mother"]],
  ["the middle", "mio", ["Hermione Granger"]],
  ["one character", "m", ["Hermes", "Hermione Granger", "Mother"]],
  ["a part with a blank", "ne gr", ["Hermione Granger"]],
  ["the whole name", "MOTHER", ["Mother"]],
  ["a text that occurs twice", "o", ["Hermione Granger", "Io Ao", "Mother"]],
  ["another script", "ʼОЛЬ", ["Соломія ʼОльга"]],
  ["a ligature", "ﬁ", ["Griﬃn Jr"]],
  ["a pattern", ".*", []],
  ["more than the name", "mother of", []],
])("finds users by %s", async (_, text, names) => {
  const { search } = await storedUsers(["Hermes", "Hermione Granger", "Mother", "Io Ao", "Соломія ʼОльга", "Griﬃn Jr"]);
  expect(await search(text)).toEqual(names);
});

it("finds a name that equals the text among more names than it considers", async () => {
  const { search } = await storedUsers([
    ...Array.from({ length: 300 }, (_, index) => `${index} dan`),
    ...Array.from({ length: 300 }, (_, index) => `Dan ${index}`),
    "Dan",
  ]);
  const found = await search("dan");
  expect(found).toContain("Dan");
  expect(found).toHaveLength(400);
});

it("reads only index entries that match, however many users there are", async () => {
  const { search } = await storedUsers([...Array.from({ length: 5_000 }, (_, index) => `user ${index}`), "Zoë"]);
  const { db } = database.connection;
  await db?.command({ profile: 2 });
  expect(await search("ser 123")).toHaveLength(11);
  expect(await search("oë")).toEqual(["Zoë"]);
  expect(await search("nobody")).toEqual([]);
  await db?.command({ profile: 0 });
  const finds = await db?.collection("system.profile").find({ op: "query" }).sort({ ts: 1 }).toArray();
  expect(finds).toHaveLength(6);
  for (const { keysExamined, nreturned } of finds ?? []) expect(keysExamined).toBeLessThanOrEqual(nreturned + 1);
});

it("stores at most 60 parts of 60 characters of a name of ligatures", () => {
  const parts = nameParts("ﷺ".repeat(30));
  expect(parts).toHaveLength(59);
  expect(new Set(parts.map((part) => [...part].length))).toEqual(new Set([60]));
});

it("adds the parts of names that the previous release stored, but not of deleted accounts", async () => {
  const { users, search } = await storedUsers([]);
  const names = ["Hermione 𝒢ranger", "ﷺ".repeat(30), "Deleted"];
  const stored = names.map((name) => ({ ...rowOf(name), ...(name === "Deleted" && { deleted_at: new Date() }) }));
  await users.collection.insertMany(stored.map(({ name_parts, ...row }) => row));
  expect(await search("hermione")).toEqual(["Hermione 𝒢ranger"]);
  expect(await search("granger")).toEqual([]);
  await addNameParts(users);
  expect(await search("granger")).toEqual(["Hermione 𝒢ranger"]);
  const rows = await users.find({}).sort({ _id: 1 }).lean();
  expect(rows.map(({ name_parts }) => name_parts)).toEqual(
    stored.map((row) => ("deleted_at" in row ? [] : row.name_parts)),
  );
});

it("finds a user by a new name, and no more after the deletion of the account", async () => {
  const service = await serveUsers({}, { connection: database.connection });
  const [one, other] = [await registerUser(service, "Prongs"), await registerUser(service)];
  const search = async (text: string) =>
    (await service.call<{ name: string }[]>(`/users?search=${text}`, { cookie: other.cookie })).body.map(
      ({ name }) => name,
    );
  expect(await search("ongs")).toEqual(["Prongs"]);
  await service.call(`/users/${one.id}/name`, { method: "PUT", cookie: one.cookie, body: { name: "Padfoot" } });
  expect([await search("ongs"), await search("foot")]).toEqual([[], ["Padfoot"]]);
  const deletion = { password: "phoenix!", texts: "keep" };
  const deleted = await service.call(`/users/${one.id}/deletion`, {
    method: "POST",
    cookie: one.cookie,
    body: deletion,
  });
  expect(deleted.status).toBe(200);
  expect(await search("foot")).toEqual([]);
  await service.close();
});
