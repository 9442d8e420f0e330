import { openTestDatabase } from "@messageoh/service-kit/testing/engines";
import { createHistory } from "./history.ts";
import { createMarkers } from "./marker.model.ts";
import { createMessages, type Messages } from "./message.model.ts";
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
  return { messages, other: other as Threads, store, markers: createMarkers(database.connection) };
}

it("names what came in lately although another process has not moved the hint yet", async () => {
  const { messages, other, store, markers } = await twoProcesses();
  const history = createHistory(messages, other, markers);
  await store("1");
  await store("2");
  expect(await history.states([members], "bob")).toMatchObject([{ last_seq: 2, unread_count: 2 }]);
  expect((await history.newest([members], "bob")).map(({ seq }) => seq)).toEqual([1, 2]);
});

it("counts as unread nothing beyond the newest message that it names", async () => {
  const { messages, other, store, markers } = await twoProcesses();
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
  const history = createHistory(storeBeforeCounting, other, markers);
  expect(await history.states([members], "bob")).toMatchObject([{ last_seq: 1, unread_count: 1 }]);
});
