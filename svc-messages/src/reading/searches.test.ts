import { setTimeout as sleep } from "node:timers/promises";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { as, serveMessages, type TestService } from "../../testing/service.ts";
import { COLLECTION, type MessageRow, messageKey } from "../messages/message.model.ts";

const LONG = ["ann-bob", "cyd-dan"];
const MESSAGES = 10_000;

let service: TestService;
beforeAll(async () => {
  service = await serveMessages(
    new FakeUsers([threadBetween("ann", "bob"), threadBetween("cyd", "dan"), threadBetween("eve", "fay")]),
  );
  for (const thread_id of LONG) {
    const [sending_user_id = "", recipient_user_id = ""] = thread_id.split("-");
    const rows = Array.from({ length: MESSAGES }, (_, index): MessageRow => {
      const id = (index + 1).toString(16).padStart(24, "0");
      return {
        ...{ _id: messageKey(thread_id, index + 1), id, client_id: id, thread_id, seq: index + 1 },
        ...{ sending_user_id, recipient_user_id, text: `number ${index + 1}`, timestamp: new Date(index) },
      };
    });
    await service.connection.collection<MessageRow>(COLLECTION).insertMany(rows);
  }
});
afterAll(() => service.close());

const blocksOf = (thread_id: string) => service.connection.collection("search_blocks").countDocuments({ thread_id });

it("does not let others wait while the first searches of two long threads build their blocks", async () => {
  const ended: string[] = [];
  const search = async (name: string) => {
    const { body } = await service.call<{ seq: number }[]>(`/messages/${name}?search=number%2042&limit=200`, as(name));
    ended.push(name);
    return body.map(({ seq }) => seq).at(-1);
  };
  const searches = ["ann", "cyd"].map(search);
  while ((await Promise.all(LONG.map(blocksOf))).includes(0)) await sleep(5);
  for (const query of ["limit=1", "search=hello"]) {
    expect((await service.call(`/messages/eve?${query}`, as("eve"))).status).toBe(200);
  }
  expect(ended).toEqual([]);
  expect(await Promise.all(searches)).toEqual([42, 42]);
});
