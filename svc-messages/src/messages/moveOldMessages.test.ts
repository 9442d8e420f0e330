import { nativeCollection } from "@messageoh/service-kit/mongo";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import { createThreads } from "../threads/thread.model.ts";
import { createMessages, messageKey } from "./message.model.ts";
import { newMessageId } from "./messageId.ts";
import { moveOldMessages } from "./moveOldMessages.ts";

it("migrates messages of the old format, also after an interrupted copy, and deletes the old thread hints", async () => {
  const { connection, drop } = await openTestDatabase();
  const messages = await createMessages(connection);
  const threads = createThreads(messages);
  const rows = Array.from({ length: 1_203 }, (_, index) => ({
    _id: newMessageId(),
    client_id: `client-${index}`,
    thread_id: index % 3 === 0 ? "a" : "b",
    seq: index % 3 === 0 ? index / 3 + 1 : index - Math.floor(index / 3),
    sending_user_id: "ann",
    recipient_user_id: "bob",
    text: `text ${index}`,
    timestamp: new Date(),
  }));
  const old = nativeCollection<(typeof rows)[number]>(connection, "messages");
  await old.insertMany(rows);
  const [first] = rows;
  if (!first) throw new Error("No rows");
  const hints = nativeCollection<{ _id: string; last_seq: number }>(connection, "threads");
  await hints.insertOne({ _id: "a", last_seq: 1 });
  await messages.insertOne({ ...first, _id: messageKey("a", 1), id: first._id });

  expect(await moveOldMessages(connection, messages)).toBe(1_203);
  expect(await messages.countDocuments()).toBe(1_203);
  expect(await old.countDocuments()).toBe(0);
  expect(await hints.countDocuments()).toBe(0);
  const ends = await threads.findNewest(["a", "b"]);
  expect([ends.get("a")?.seq, ends.get("b")?.seq]).toEqual([401, 802]);
  expect(ends.get("a")).toMatchObject({ id: rows.at(-3)?._id, text: "text 1200" });
  expect(await moveOldMessages(connection, messages)).toBe(0);
  await drop();
});
