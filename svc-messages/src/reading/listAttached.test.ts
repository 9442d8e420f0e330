import { openStore } from "../../testing/store.ts";
import { type MessageRow, messageKey } from "../messages/message.model.ts";
import { createListAttached, ROWS_MAX } from "./listAttached.ts";

const THREAD = "ann-bob";

it("finds every file, and reads few of the messages that contain the same one", async () => {
  const { drop, messages } = await openStore();
  const files = [...Array.from({ length: 3 * ROWS_MAX }, () => "again"), "second", "third"];
  await messages.insertMany(
    files.map((id, index) => {
      const seq = index + 1;
      const own = { _id: messageKey(THREAD, seq), thread_id: THREAD, seq, client_id: `${seq}`, sending_user_id: "ann" };
      return { ...own, attachments: [{ id }] } as unknown as MessageRow;
    }),
  );
  let read = 0;
  const counted: typeof messages = Object.create(messages, {
    find: {
      value: (...args: Parameters<typeof messages.find>) =>
        messages.find(...args).map((row) => {
          read += 1;
          return row;
        }),
    },
  });
  const media = ["again", "second", "third", "none"].map((media_id) => ({ thread_id: THREAD, media_id }));
  const found = await createListAttached(counted)(media);
  await drop();
  expect([...found.keys()].sort()).toEqual(["again", "second", "third"]);
  expect([found.get("second"), found.get("third")]).toEqual([files.length - 1, files.length]);
  expect(read).toBeLessThanOrEqual(2 * ROWS_MAX);
});
