import type { Attachment } from "@messageoh/contracts/attachments";
import { findAttachments } from "@messageoh/contracts/internal/media";
import type { Message } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { as, serveMessages, type TestService } from "../../testing/service.ts";
import { ATTACHED_INDEX, COLLECTION } from "../messages/message.model.ts";
import { attachedFilter } from "./attachedPage.ts";

const aFile = (id: string): Attachment => ({ id, kind: "file", name: `${id}.PDF`, bytes: 7, type: "application/pdf" });
const callMedia = createFakeCall([
  route(findAttachments, ({ body }) => ({ attachments: body.media_ids.map((id) => aFile(id)) })),
]);
const THREAD = "ann-bob";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: TestService;
/** Messages 2, 4, 6, 8 and 10 have a file. */
beforeAll(async () => {
  database = await openTestDatabase();
  const users = new FakeUsers([threadBetween("ann", "bob"), threadBetween("bob", "cyd")]);
  service = await serveMessages(users, { callMedia, connection: database.connection });
  for (let seq = 1; seq <= 10; seq += 1) {
    await service.store(aMessage({ thread_id: THREAD, ...(seq % 2 === 0 && { attachments: [`plan-${seq}`] }) }));
  }
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const list = (query: string, name = "bob") =>
  service.call<Message[] & { error?: string }>(`/messages/${name}?attached=true&${query}`, as(name));
const numbers = async (query: string, name?: string) =>
  (await list(`thread_id=${THREAD}&${query}`, name)).body.map(({ seq }) => seq);

it("lists the newest messages of a thread with attachments, and pages to the older ones", async () => {
  expect(await numbers("limit=2")).toEqual([8, 10]);
  expect(await numbers("limit=2&before_seq=8")).toEqual([4, 6]);
  expect(await numbers("before_seq=4")).toEqual([2]);
  expect(await numbers("", "ann")).toEqual([2, 4, 6, 8, 10]);
});

it("finds files by a part of their name, and takes it literally", async () => {
  expect(await numbers("search=PLAN-8.p")).toEqual([8]);
  expect(await numbers("search=plan&limit=3")).toEqual([6, 8, 10]);
  expect(await numbers("search=.*")).toEqual([]);
});

it("leaves out what the user has hidden", async () => {
  const hide = (hidden: boolean) =>
    service.call(`/messages/bob/${THREAD}/8/hidden`, { method: "PUT", body: { hidden }, ...as("bob") });
  await hide(true);
  expect(await numbers("limit=2")).toEqual([6, 10]);
  expect(await numbers("limit=2", "ann")).toEqual([8, 10]);
  await hide(false);
});

it.each([
  ["thread_id is missing", ""],
  ["paged by before_seq", `thread_id=${THREAD}&after_seq=1`],
  ["paged by before_seq", `thread_id=${THREAD}&search=plan&before_id=x`],
])("responds with 400 and “%s” to “%s”", async (error, query) => {
  const { status, body } = await list(query);
  expect([status, body.error]).toEqual([400, expect.stringContaining(error)]);
});

it("shows a thread to its members only", async () => {
  expect((await list("thread_id=bob-cyd", "ann")).status).toBe(403);
});

it("reads the messages of a page and no others, by an index", async () => {
  const rows = database.connection.collection<{ _id: string }>(COLLECTION);
  const query = rows
    .find(attachedFilter(THREAD, { before: 10 }), { hint: ATTACHED_INDEX })
    .sort({ seq: -1 })
    .limit(2);
  const explained = await query.explain("executionStats");
  expect(JSON.stringify(explained)).not.toContain('"stage":"SORT"');
  expect(explained.executionStats).toMatchObject({ totalDocsExamined: 2, nReturned: 2 });
});
