import { openTestDatabase } from "@messageoh/service-kit/testing/engines";
import { createHistory } from "./history.ts";
import { createMarkers } from "./marker.model.ts";
import { createMessages } from "./message.model.ts";
import { createStoreBatch } from "./storeBatch.ts";
import { createThreads } from "./thread.model.ts";

let drop: () => Promise<void> = async () => undefined;
afterAll(() => drop());

const message = (client_id: string) => ({
  client_id,
  thread_id: "thread",
  sending_user_id: "ann",
  recipient_user_id: "bob",
  text: "hello",
  request_id: "r",
  origin: "",
});

it("counts as unread nothing beyond the newest message that it names", async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  const messages = await createMessages(database.connection);
  const threads = await createThreads(database.connection, messages);
  const history = createHistory(messages, threads, createMarkers(database.connection));
  const store = createStoreBatch(messages, threads, Date.now);

  await threads.remember((await store([message("1"), message("2")])).map(({ row }) => row));
  // Stored by another process, between the look at the newest message and the count.
  await store([message("3")]);

  const members = { thread_id: "thread", user_ids: ["ann", "bob"] as [string, string], created_at: "2026-01-01" };
  expect(await history.states([members], "bob")).toMatchObject([{ last_seq: 2, unread_count: 2 }]);
});
