import { QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { PASSWORD, registerUser, serveUsers, type TestService } from "../testing/service.ts";

const COMMANDS = ["find", "aggregate", "insert", "update", "findAndModify"];

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: TestService;
beforeAll(async () => {
  database = await openTestDatabase({ monitorCommands: true });
  service = await serveUsers({}, { connection: database.connection });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

it("limits the time of every database command of a request", async () => {
  const { connection } = database;
  const sent: [name: string, collection: unknown, maxTimeMS: unknown][] = [];
  connection.getClient().on("commandStarted", ({ commandName, command }) => {
    if (COMMANDS.includes(commandName)) sent.push([commandName, command[commandName], command.maxTimeMS]);
  });
  const [one, two] = [await registerUser(service), await registerUser(service)];
  const post = (path: string, body: object, cookie = "") => service.call(path, { method: "POST", body, cookie });
  const second = await post("/login", { name: one.name, password: PASSWORD });
  await post("/add_friend", { user_id: one.id, friend_id: two.id }, one.cookie);
  await post(`/users/${one.id}/password`, { old_password: PASSWORD, new_password: "a new phoenix" }, second.cookie);
  await service.call(`/users/${one.id}`, { method: "PUT", body: { avatar_id: "cat-id" }, cookie: second.cookie });
  for (const path of ["/users", `/friends/${one.id}`, `/sessions/${one.id}`]) {
    expect((await service.call(path, { cookie: second.cookie })).status).toBe(200);
  }
  await service.call(`/sessions/${one.id}`, { method: "DELETE", cookie: second.cookie });
  const names = sent.map(([name, collection]) => `${name} ${collection}`);
  expect(names).toEqual(
    expect.arrayContaining([
      "insert users",
      "insert sessions",
      "findAndModify friendships",
      "update users",
      "update sessions",
    ]),
  );
  expect(sent.filter(([, , maxTimeMS]) => maxTimeMS !== QUERY_MAX_MS)).toEqual([]);
});
