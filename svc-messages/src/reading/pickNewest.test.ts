import { createPauses } from "@messageoh/service-kit/pauses";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { createMessages, type MessageRow, type Messages, messageKey } from "../messages/message.model.ts";
import { pickNewest } from "./pickNewest.ts";

const TEXT = "文".repeat(4_000);
let messages: Messages;
let drop: () => Promise<void>;
let count = 0;

beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  messages = await createMessages(database.connection);
});
afterAll(() => drop());

function aRow(thread_id: string, seq: number, text: string): MessageRow {
  count += 1;
  const id = count.toString(16).padStart(24, "0");
  const users = { sending_user_id: "ann", recipient_user_id: "bob" };
  return {
    _id: messageKey(thread_id, seq),
    id,
    client_id: id,
    thread_id,
    seq,
    ...users,
    text,
    timestamp: new Date(count),
  };
}

async function storeThread(thread_id: string, length: number, text: string): Promise<MessageRow> {
  const rows = Array.from({ length }, (_, index) => aRow(thread_id, index + 1, text));
  await messages.insertMany(rows);
  return rows.at(-1) as MessageRow;
}

const seqsOf = (rows: readonly MessageRow[], threadId: string) =>
  rows.filter(({ thread_id }) => thread_id === threadId).map(({ seq }) => seq);

it("reads the newest messages of each thread, ascending", async () => {
  const lasts = [await storeThread("long", 120, "a"), await storeThread("short", 3, "b")];
  const rows = await pickNewest(messages, lasts, { limit: 50, maxBytes: 1_000_000, pause: createPauses() });
  expect(seqsOf(rows, "long")).toEqual(Array.from({ length: 50 }, (_, index) => 71 + index));
  expect(seqsOf(rows, "short")).toEqual([1, 2, 3]);
});

it("omits the oldest messages of each thread if the result would be too large, and omits no thread completely", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `full${index}`);
  const lasts = await Promise.all(names.map((name) => storeThread(name, 20, TEXT)));
  const maxBytes = 2_000_000;
  const rows = await pickNewest(messages, lasts, { limit: 50, maxBytes, pause: createPauses() });
  const size = Buffer.byteLength(JSON.stringify(rows));
  expect(size).toBeLessThanOrEqual(maxBytes);
  expect(size).toBeGreaterThan(maxBytes * 0.9);
  for (const name of names) expect(seqsOf(rows, name).at(-1)).toBe(20);
});
