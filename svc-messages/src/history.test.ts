import { openTestDatabase } from "@messageoh/service-kit/testing/engines";
import { createHistory } from "./history.ts";
import { createMarkers } from "./marker.model.ts";
import { createMessages, type Messages } from "./message.model.ts";
import { createSearchBlocks } from "./searchBlock.model.ts";
import { createStoreBatch } from "./storeBatch.ts";
import { createThreads, type Threads } from "./thread.model.ts";

const drops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(drops.map((drop) => drop())));
const fail = (error: unknown) => {
  throw error;
};

const message = (client_id: string) => ({
  client_id,
  thread_id: "thread",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "r",
  origin: "",
});

const members = { thread_id: "thread", user_ids: ["ann", "bob"] as [string, string], created_at: "2026-01-01" };

/** Two processes of the service on a database of their own: one stores, the other is asked. */
async function twoProcesses() {
  const database = await openTestDatabase();
  const messages = await createMessages(database.connection);
  const [mine, other] = await Promise.all([1, 2].map(() => createThreads(database.connection, messages, fail)));
  const storeBatch = createStoreBatch(messages, mine as Threads, Date.now);
  const store = async (client_id: string) =>
    (mine as Threads).remember((await storeBatch([message(client_id)])).map(({ row }) => row));
  drops.push(async () => {
    await (mine as Threads).flush();
    await database.drop();
  });
  const blocks = await createSearchBlocks(database.connection, messages);
  return { messages, other: other as Threads, store, storeBatch, markers: createMarkers(database.connection), blocks };
}

it("names what came in lately although another process has not moved the hint yet", async () => {
  const { messages, other, store, markers, blocks } = await twoProcesses();
  const history = createHistory(messages, other, markers, blocks);
  await store("1");
  await store("2");
  expect(await history.states([members], "bob")).toMatchObject([{ last_seq: 2, unread_count: 2 }]);
  expect((await history.newest([members], "bob")).map(({ seq }) => seq)).toEqual([1, 2]);
});

it("counts as unread nothing beyond the newest message that it names", async () => {
  const { messages, other, store, markers, blocks } = await twoProcesses();
  await store("1");
  // The other process stores one more between the look at the newest message and the count.
  const storeBeforeCounting: Messages = new Proxy(messages, {
    get(target, name) {
      if (name !== "countDocuments") return Reflect.get(target, name).bind(target);
      return async (...of: Parameters<Messages["countDocuments"]>) => {
        await store("2");
        return messages.countDocuments(...of);
      };
    },
  });
  const history = createHistory(storeBeforeCounting, other, markers, blocks);
  expect(await history.states([members], "bob")).toMatchObject([{ last_seq: 1, unread_count: 1 }]);
});

it("finds in long and short threads alike, the newest first, also while blocks are made by several at once", async () => {
  const { messages, other, storeBatch, markers, blocks } = await twoProcesses();
  const history = createHistory(messages, other, markers, blocks);
  const threads = ["long", "longer", "short"].map((thread_id) => ({ ...members, thread_id }));
  const expected: string[] = [];
  for (let number = 1; number <= 12; number += 1) {
    for (const [thread_id, count] of [
      ["long", 21],
      ["longer", 30],
      ["short", 4],
    ] as const) {
      const batch = Array.from({ length: count }, (_, index) => {
        const client_id = `${thread_id} ${number} ${index}`;
        const text = index % 7 === 3 ? `Ein NADELÖHR, ${client_id}` : `Heu (${client_id})`;
        return { ...message(client_id), thread_id, text };
      });
      const stored = await storeBatch(batch);
      other.remember(stored.map(({ row }) => row));
      expected.unshift(
        ...stored
          .map(({ row }) => row.text)
          .filter((text) => text.includes("NADEL"))
          .reverse(),
      );
    }
  }
  const search = async (text: string, limit: number) =>
    (await history.search(threads, "bob", text, limit)).map((found) => found.text);
  const [first, again] = await Promise.all([search("nadelöhr", 200), search("Nadelöhr", 200)]);
  expect(expected).toHaveLength(96);
  expect(first).toEqual(expected);
  expect(again).toEqual(expected);
  expect(await search("nadelöhr", 5)).toEqual(expected.slice(0, 5));
  expect(await search("(long 3 1)", 10)).toEqual(["Heu (long 3 1)"]);
  expect(await search("heuhaufen", 10)).toEqual([]);
});
