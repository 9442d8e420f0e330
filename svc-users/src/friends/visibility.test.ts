import { parseTable } from "@messageoh/service-kit/testing/table";
import { friendCalls } from "../../testing/friends.ts";
import { type Act, createRelations, newName, type World } from "../../testing/relations.ts";
import { serveUsers, TEST_SECRET, type TestService, type TestUser } from "../../testing/service.ts";

// What a viewer learns of ann through svc-users. The visibility.test.ts of svc-messages and of svc-realtime have the
// tables for threads and for sockets.

let service: TestService;
let calls: ReturnType<typeof friendCalls>;
let relations: ReturnType<typeof createRelations>;
beforeAll(async () => {
  service = await serveUsers();
  calls = friendCalls(service);
  relations = createRelations(service);
});
afterAll(() => service.close());

const internal = { headers: { "x-internal-secret": TEST_SECRET } };

/** Returns how users name ann: as she was at first ("old") or is now ("new"), without a name, or not at all. */
function nameOf(ann: TestUser, users: readonly object[]): string {
  const found = users.find((user) => "id" in user && user.id === ann.id) as { name: string; avatar_id?: string };
  if (!found) return "-";
  const names = new Map([
    [ann.name, "old"],
    [newName(ann), "new"],
    ["Deleted account", "deleted"],
    ["Hidden account", "hidden"],
  ]);
  const avatars: Record<string, string> = { "fox-id": "old", "cat-id": "new", deleted: "deleted", hidden: "hidden" };
  const name = names.get(found.name) ?? found.name;
  expect([name, undefined]).toContain(found.avatar_id && avatars[found.avatar_id]);
  return name;
}

/** Each call of the viewer that can tell something about ann. */
const CALLS = {
  async "GET /users"({ ann, viewer }: World) {
    return nameOf(ann, (await service.call<object[]>("/users", { cookie: viewer.cookie })).body);
  },
  async "GET /users?search"({ ann, viewer }: World) {
    const search = (name: string) =>
      service.call<object[]>(`/users?search=${encodeURIComponent(name)}`, { cookie: viewer.cookie });
    const found = [...(await search(ann.name)).body, ...(await search(newName(ann))).body];
    return nameOf(ann, found);
  },
  "GET /friends": async ({ ann, viewer }: World) => nameOf(ann, await calls.friends(viewer)),
  async "GET /messages/export"({ ann, viewer }: World) {
    type Data = { friends: object[]; former_friends: object[] };
    const { body } = await service.call<Data>(`/internal/users/${viewer.id}/data`, internal);
    return nameOf(ann, [...body.friends, ...body.former_friends]);
  },
  "POST /add_friend": async ({ ann, viewer }: World) => (await calls.add(viewer, ann)).status,
  "PUT /friends": async ({ ann, viewer }: World) => (await calls.change(viewer, ann, { is_muted: true })).status,
  "DELETE /friends": async ({ ann, viewer }: World) => (await calls.unfriend(viewer, ann)).status,
  "PUT /blocked": async ({ ann, viewer }: World) => (await calls.block(viewer, ann)).status,
  async "GET /blocked"({ ann, viewer }: World) {
    await calls.block(viewer, ann);
    return nameOf(ann, await calls.blocked(viewer));
  },
  "DELETE /blocked": async ({ ann, viewer }: World) => (await calls.unblock(viewer, ann)).status,
};

/** Returns the row of a table as it is: one cell for each relation. */
async function cellsOf(row: object, cell: (world: World) => Promise<string | number>) {
  const cells = Object.keys(row).map(async (relation) => [relation, `${await cell(await relations.create(relation))}`]);
  return Object.fromEntries(await Promise.all(cells));
}

const AFTER_RENAME = parseTable(`
                     | friend | former | former, hidden | former, blocked | stranger | stranger, hidden | stranger, blocked
GET /users           | new    | new    | -              | -               | new      | -                | -
GET /users?search    | new    | new    | -              | -               | new      | -                | -
GET /friends         | new    | -      | -              | -               | -        | -                | -
GET /messages/export | new    | old    | old            | old             | -        | -                | -
POST /add_friend     | 200    | 200    | 403            | 403             | 200      | 403              | 403
PUT /friends         | 200    | 404    | 404            | 404             | 404      | 404              | 404
DELETE /friends      | 200    | 200    | 200            | 200             | 200      | 200              | 200
PUT /blocked         | 200    | 200    | 200            | 200             | 200      | 200              | 200
GET /blocked         | new    | old    | old            | old             | new      | hidden           | hidden
DELETE /blocked      | 200    | 200    | 200            | 200             | 200      | 200              | 200
`);
const AFTER_DELETION = parseTable(`
                     | friend  | former  | former, hidden | former, blocked | stranger | stranger, hidden | stranger, blocked
GET /users           | -       | -       | -              | -               | -        | -                | -
GET /users?search    | -       | -       | -              | -               | -        | -                | -
GET /friends         | deleted | -       | -              | -               | -        | -                | -
GET /messages/export | deleted | deleted | deleted        | deleted         | -        | -                | -
POST /add_friend     | 404     | 404     | 404            | 404             | 404      | 404              | 404
PUT /friends         | 200     | 404     | 404            | 404             | 404      | 404              | 404
DELETE /friends      | 200     | 200     | 200            | 200             | 200      | 200              | 200
PUT /blocked         | 200     | 200     | 200            | 200             | 404      | 404              | 404
GET /blocked         | deleted | deleted | deleted        | deleted         | -        | -                | -
DELETE /blocked      | 200     | 200     | 200            | 200             | 200      | 200              | 200
`);

it("has a row for each call and each act", () => {
  for (const table of [AFTER_RENAME, AFTER_DELETION]) expect(Object.keys(table)).toEqual(Object.keys(CALLS));
  expect(["be blocked", ...Object.keys(TOLD)].sort()).toEqual(Object.keys(relations.acts).sort());
});

describe.each([
  ["rename", AFTER_RENAME],
  ["delete the account", AFTER_DELETION],
] as const)("after ann calls %s", (act, table) => {
  it.each(Object.entries(CALLS))("shows in %s what the table says", async (name, call) => {
    const row = table[name] ?? {};
    expect(
      await cellsOf(row, async (world) => {
        await relations.acts[act](world);
        return call(world);
      }),
    ).toEqual(row);
  });
});

/** What the viewer is told of each act of ann, by an event or the feed that svc-realtime polls. */
const TOLD = parseTable(`
                      | friend       | former | former, hidden | former, blocked | stranger | stranger, hidden | stranger, blocked | blocker
unfriend              | end          | -      | -              | -               | -        | -                | -                 | -
block                 | end          | -      | -              | -               | -        | -                | -                 | -
unblock               | -            | -      | -              | -               | -        | -                | -                 | -
accept no new friends | -            | -      | -              | -               | -        | -                | -                 | -
rename                | name, avatar | -      | -              | -               | -        | -                | -                 | -
delete the account    | account      | -      | -              | -               | -        | -                | -                 | -
`);

it.each(Object.keys(TOLD) as Act[])("tells the viewer of ann's act %s what the table says", async (act) => {
  const row = TOLD[act] ?? {};
  const toldOf = async (world: World) => {
    const { viewer } = world;
    const [seen, since] = [service.published.length, (await calls.changes()).until];
    await relations.acts[act](world);
    const events = service.published.slice(seen).filter((event) => JSON.stringify(event).includes(viewer.id));
    const changes = (await calls.changes(since)).changes as { user_ids: string[]; changed_at: string }[];
    const inFeed = changes.filter(({ user_ids, changed_at }) => user_ids.includes(viewer.id) && changed_at > since);
    return wordsFor(events, inFeed.length);
  };
  expect(await cellsOf(row, toldOf)).toEqual(row);
});

/** Describes events to a viewer and the number of changes in the feed. */
function wordsFor(events: TestService["published"], changes: number): string {
  const types = events.map(([, { type }]) => type);
  if (types.join() === "friendship_changed" && changes === 1) return "end";
  const users = events.map(([, event]) => event.user as { name: string; avatar_id: string } | undefined);
  const parts = users.map((user) =>
    user?.avatar_id === "deleted" ? "account" : user?.avatar_id === "cat-id" ? "avatar" : user ? "name" : "an event",
  );
  return [...parts, ...(changes > 0 ? [`${changes} in the feed`] : [])].join(", ") || "-";
}

it.each([
  ["after a rename", AFTER_RENAME],
  ["after a deletion", AFTER_DELETION],
  ["in events", TOLD],
])("shows a block as it shows somebody who accepts no new friends, %s", (_, table) => {
  for (const row of Object.values(table)) {
    expect(row["former, blocked"]).toBe(row["former, hidden"]);
    expect(row["stranger, blocked"]).toBe(row["stranger, hidden"]);
  }
});

it("keeps the name of a blocked person as it was when the user found and blocked them", async () => {
  const { ann, viewer } = await relations.create("stranger");
  await calls.block(viewer, ann);
  await relations.acts.rename({ ann, viewer });
  await calls.block(viewer, ann);
  expect(nameOf(ann, await calls.blocked(viewer))).toBe("old");
});

it.each(["block", "accept no new friends"] as const)(
  "keeps the name of a former friend in the download if that friend calls %s after a rename",
  async (act) => {
    const world = await relations.create("former");
    await relations.acts.rename(world);
    await relations.acts[act](world);
    expect(await CALLS["GET /messages/export"](world)).toBe("old");
  },
);
