import { aReader, members } from "../../testing/reader.ts";
import { DRAFTS_MAX_BYTES } from "../changes/marks.model.ts";
import { type Messages, messageKey } from "../messages/message.model.ts";
import { createHistory } from "./history.ts";
import { createThreadStates } from "./threadStates.ts";

/** Stores a long message with a number in each of 1,000 threads, the newest in the last one. Returns the threads. */
async function storeLongMessages(messages: Messages, seq: number) {
  const of = Array.from({ length: 1_000 }, (_, index) => ({ ...members, thread_id: `thread-${index}` }));
  await messages.insertMany(
    of.map(({ thread_id }, index) => ({
      _id: messageKey(thread_id, seq),
      ...{ id: String(index), client_id: String(index), thread_id, seq },
      ...{ sending_user_id: "ann", recipient_user_id: "bob", text: "文".repeat(4_000), timestamp: new Date(index) },
    })),
  );
  return of;
}

it("returns a message that was stored a moment ago to both members, whatever was read before", async () => {
  const { messages, threads, store, markers, marks } = await aReader();
  const history = createHistory({ messages, threads, markers, marks });
  const states = createThreadStates({ messages, threads, markers, marks });
  for (const last_seq of [1, 2]) {
    await store(String(last_seq));
    expect(await states([members], "bob")).toMatchObject([{ last_seq, unread_count: last_seq }]);
    expect(await states([members], "ann")).toMatchObject([{ last_seq, unread_count: 0 }]);
    expect((await history.newest([members], "bob")).at(-1)).toMatchObject({ seq: last_seq });
  }
  expect((await history.newest([members], "bob")).map(({ seq }) => seq)).toEqual([1, 2]);
});

it("reads the number of the last change before the last message, which is then no older than it", async () => {
  const { messages, threads, store, markers, marks } = await aReader();
  await store("1");
  const read: string[] = [];
  const observed: typeof threads = {
    ...threads,
    async findLastChanges(ids) {
      const found = await threads.findLastChanges(ids);
      read.push("last change");
      return found;
    },
    findNewest(ids) {
      read.push("last message");
      return threads.findNewest(ids);
    },
  };
  await createThreadStates({ messages, threads: observed, markers, marks })([members], "bob");
  expect(read).toEqual(["last change", "last message"]);
});

it("counts no unread message after the last message of the state", async () => {
  const { messages, threads, store, markers, marks } = await aReader();
  await store("1");
  // Another process stores a message between the query of the newest message and the count.
  const storeBeforeCounting: Messages = new Proxy(messages, {
    get(target, name) {
      if (name !== "aggregate") return Reflect.get(target, name).bind(target);
      return (...of: Parameters<Messages["aggregate"]>) => ({
        toArray: async () => {
          await store("2");
          return messages.aggregate(...of).toArray();
        },
      });
    },
  });
  const states = createThreadStates({ messages: storeBeforeCounting, threads, markers, marks });
  expect(await states([members], "bob")).toMatchObject([{ last_seq: 1, unread_count: 1 }]);
});

it("lists 1,000 threads in less than 8 MB, without the last messages of the oldest threads", async () => {
  const { messages, threads, markers, marks } = await aReader();
  const readStates = createThreadStates({ messages, threads, markers, marks });
  const of = await storeLongMessages(messages, 1);
  const states = await readStates(of, "bob");
  const size = Buffer.byteLength(JSON.stringify(states));
  expect([size < 8_000_000, size > 7_000_000]).toEqual([true, true]);
  expect(states.map(({ unread_count, last_seq }) => [unread_count, last_seq])).toEqual(of.map(() => [1, 1]));
  const shown = states.map(({ last_message }) => last_message !== null);
  expect(shown.indexOf(true)).toBeGreaterThan(300);
  expect(shown.lastIndexOf(false)).toBe(shown.indexOf(true) - 1);
});

it("lists 1,000 threads with drafts in less than 8 MB, and with drafts up to their limit without leaving one out", async () => {
  const { connection, messages, threads, markers, marks } = await aReader();
  const allRead = { ...markers, find: async () => () => ({ read_seq: 1_001, delivered_seq: 1_001 }) };
  const readStates = createThreadStates({ messages, threads, markers: allRead, marks });
  const of = await storeLongMessages(messages, 1_001);
  const sizeWith = async (text: string, hidden: number[]) => {
    const rows = connection.collection<{ _id: string }>("marks");
    await rows.deleteMany({});
    await rows.insertMany(
      of.map(({ thread_id }) => ({ _id: `${thread_id}:bob`, draft: { text, rev: 1 }, hidden }) as { _id: string }),
    );
    const states = await readStates(of, "bob");
    return {
      bytes: Buffer.byteLength(JSON.stringify(states)),
      drafts: states.filter(({ draft }) => draft?.text === text).length,
      lasts: states.filter(({ last_message }) => last_message !== null).length,
    };
  };
  // An earlier release accepted any number of long drafts.
  const tooLong = await sizeWith("🎉".repeat(4_000), []);
  expect([tooLong.bytes < 8_000_000, tooLong.drafts > 400, tooLong.lasts]).toEqual([true, true, 0]);
  // Control characters are the longest in JSON.
  const allowed = await sizeWith("\u0001".repeat(DRAFTS_MAX_BYTES / of.length), []);
  expect([allowed.bytes < 8_000_000, allowed.drafts, allowed.lasts > 50]).toEqual([true, 1_000, true]);
  const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
  const hiding = await sizeWith("short", numbers);
  expect([hiding.bytes < 8_000_000, hiding.drafts, hiding.lasts > 200]).toEqual([true, 1_000, true]);
});
