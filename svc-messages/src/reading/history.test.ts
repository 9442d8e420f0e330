import { aMessage } from "../../testing/messages.ts";
import { openStore } from "../../testing/store.ts";
import { createMarks, DRAFTS_MAX_BYTES } from "../changes/marks.model.ts";
import { createMarkers } from "../markers/marker.model.ts";
import { type Messages, messageKey } from "../messages/message.model.ts";
import { createHistory, type History } from "./history.ts";
import { createSearchBlocks } from "./searchBlock.model.ts";

const drops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(drops.map((drop) => drop())));

const message = (client_id: string) => aMessage({ client_id, thread_id: "thread" });

const members = { thread_id: "thread", user_ids: ["ann", "bob"] as [string, string], created_at: "2026-01-01" };

/** Searches in threads as bob. */
const searchIn = async (history: History, of: (typeof members)[], query: Parameters<History["search"]>[2]) =>
  history.search(await history.prepareSearch(of), "bob", query);

/** Creates the parts of the service on a new database. */
async function aService() {
  const { connection, messages, threads, storeBatch, drop } = await openStore();
  drops.push(drop);
  const store = (client_id: string) => storeBatch([message(client_id)]);
  const blocks = await createSearchBlocks(connection, messages);
  return {
    ...{ connection, messages, threads, store, storeBatch, blocks },
    ...{ markers: createMarkers(connection), marks: createMarks(connection) },
  };
}

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
  const { messages, threads, store, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  for (const last_seq of [1, 2]) {
    await store(String(last_seq));
    expect(await history.states([members], "bob")).toMatchObject([{ last_seq, unread_count: last_seq }]);
    expect(await history.states([members], "ann")).toMatchObject([{ last_seq, unread_count: 0 }]);
    expect((await history.newest([members], "bob")).at(-1)).toMatchObject({ seq: last_seq });
  }
  expect((await history.newest([members], "bob")).map(({ seq }) => seq)).toEqual([1, 2]);
});

it("reads the number of the last change before the last message, which is then no older than it", async () => {
  const { messages, threads, store, markers, marks, blocks } = await aService();
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
  await createHistory({ messages, threads: observed, markers, marks, blocks }).states([members], "bob");
  expect(read).toEqual(["last change", "last message"]);
});

it("counts no unread message after the last message of the state", async () => {
  const { messages, threads, store, markers, marks, blocks } = await aService();
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
  const history = createHistory({ messages: storeBeforeCounting, threads, markers, marks, blocks });
  expect(await history.states([members], "bob")).toMatchObject([{ last_seq: 1, unread_count: 1 }]);
});

it("lists 1,000 threads in less than 8 MB, without the last messages of the oldest threads", async () => {
  const { messages, threads, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  const of = await storeLongMessages(messages, 1);
  const states = await history.states(of, "bob");
  const size = Buffer.byteLength(JSON.stringify(states));
  expect([size < 8_000_000, size > 7_000_000]).toEqual([true, true]);
  expect(states.map(({ unread_count, last_seq }) => [unread_count, last_seq])).toEqual(of.map(() => [1, 1]));
  const shown = states.map(({ last_message }) => last_message !== null);
  expect(shown.indexOf(true)).toBeGreaterThan(300);
  expect(shown.lastIndexOf(false)).toBe(shown.indexOf(true) - 1);
});

it("lists 1,000 threads with drafts in less than 8 MB, and with drafts up to their limit without leaving one out", async () => {
  const { connection, messages, threads, markers, marks, blocks } = await aService();
  const allRead = { ...markers, find: async () => () => ({ read_seq: 1_001, delivered_seq: 1_001 }) };
  const history = createHistory({ messages, threads, markers: allRead, marks, blocks });
  const of = await storeLongMessages(messages, 1_001);
  const sizeWith = async (text: string, hidden: number[]) => {
    const rows = connection.collection<{ _id: string }>("marks");
    await rows.deleteMany({});
    await rows.insertMany(
      of.map(({ thread_id }) => ({ _id: `${thread_id}:bob`, draft: { text, rev: 1 }, hidden }) as { _id: string }),
    );
    const states = await history.states(of, "bob");
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

it("finds a word in capitals in old messages as in new ones, also one with the two small letters of Σ", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  const texts = ["Γεια σας", "Οδυσσέας", "ΟΔΥΣΣΕΑΣ"];
  // The texts are in a whole block at the beginning of the thread, and behind it.
  const all = [...texts, ...Array.from({ length: 97 }, () => "Heu"), ...texts];
  await storeBatch(all.map((text, index) => aMessage({ client_id: `${index}`, thread_id: "thread", text })));
  for (const [text, found] of [
    ["ΟΔΥΣ", ["ΟΔΥΣΣΕΑΣ", "Οδυσσέας"]],
    ["σασ", ["Γεια σας"]],
    ["ΣΑΣ", ["Γεια σας"]],
  ] as const) {
    const result = await searchIn(history, [members], { text });
    expect(result.map((message) => message.text)).toEqual([...found, ...found]);
  }
});

it("finds messages in long and short threads, newest first, while concurrent searches create the blocks", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  const all = ["long", "longer", "short"].map((thread_id) => ({ ...members, thread_id }));
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
      const { results } = await storeBatch(batch);
      expected.unshift(
        ...[...results.values()]
          .map((result) => ("message" in result ? result.message.text : ""))
          .filter((text) => text.includes("NADEL"))
          .reverse(),
      );
    }
  }
  const search = async (text: string, limit: number) =>
    (await searchIn(history, all, { text, limit })).map((found) => found.text);
  const [first, again] = await Promise.all([search("nadelöhr", 200), search("Nadelöhr", 200)]);
  expect(expected).toHaveLength(96);
  expect(first).toEqual(expected);
  expect(again).toEqual(expected);
  expect(await search("nadelöhr", 5)).toEqual(expected.slice(0, 5));
  expect(await search("(long 3 1)", 10)).toEqual(["Heu (long 3 1)"]);
  expect(await search("heuhaufen", 10)).toEqual([]);
});

it("builds no blocks of a further thread for a client that has gone", async () => {
  const { connection, messages, threads, storeBatch, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  const all = ["one", "other"].map((thread_id) => ({ ...members, thread_id }));
  for (const { thread_id } of all) {
    await storeBatch(Array.from({ length: 100 }, (_, index) => ({ ...message(`${thread_id} ${index}`), thread_id })));
  }
  const built = () => connection.collection("search_blocks").countDocuments();
  const isGone = jest.fn(() => true).mockReturnValueOnce(false);
  await expect(history.prepareSearch(all, isGone)).rejects.toMatchObject({ status: 499 });
  expect(await built()).toBe(1);
  await history.prepareSearch(all);
  expect(await built()).toBe(2);
});

it("finds messages in a block of a long thread with missing numbers", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  const batch = Array.from({ length: 230 }, (_, index) => ({ ...message(`${index}`), text: `(${index + 1})` }));
  await storeBatch(batch);
  await messages.deleteMany({ seq: { $in: [1, 42, 43, 100, 101, 199] } });
  const found = async (text: string) =>
    (await searchIn(history, [members], { text })).map(({ seq, text }) => [seq, text]);
  for (const seq of [2, 41, 44, 99, 102, 198, 200, 201, 230])
    expect(await found(`(${seq})`)).toEqual([[seq, `(${seq})`]]);
  expect(await found("(42)")).toEqual([]);
  expect(await found("(1)")).toEqual([]);
});

it("returns the newest results first, page by page, in a thread that consists of whole blocks", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  await storeBatch(Array.from({ length: 200 }, (_, index) => message(`${index}`)));
  const page = (before_id?: string) => searchIn(history, [members], { text: "hello", limit: 3, before_id });
  const first = await page();
  expect(first.map(({ seq }) => seq)).toEqual([200, 199, 198]);
  expect((await page(first.at(-1)?.id)).map(({ seq }) => seq)).toEqual([197, 196, 195]);
});

it("fills each page of starred messages, also if a newer one is hidden", async () => {
  const { messages, threads, store, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  for (let seq = 1; seq <= 4; seq += 1) {
    await store(String(seq));
    await marks.add("starred", { thread_id: members.thread_id, user_id: "bob", seq }, 10);
  }
  await marks.add("hidden", { thread_id: members.thread_id, user_id: "bob", seq: 4 }, 10);
  const page = (before_id?: string) => history.starred([members], "bob", { limit: 2, before_id });
  const first = await page();
  expect(first.map(({ seq }) => seq)).toEqual([3, 2]);
  expect((await page(first.at(-1)?.id)).map(({ seq }) => seq)).toEqual([1]);
});

it("finds the first message since a time, across missing numbers", async () => {
  const { messages, threads, store, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  for (let seq = 1; seq <= 9; seq += 1) await store(String(seq));
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  for (let seq = 1; seq <= 9; seq += 1) {
    await messages.updateOne({ _id: messageKey(members.thread_id, seq) }, { $set: { timestamp: at(seq) } });
  }
  for (const seq of [4, 5, 9]) await messages.deleteOne({ _id: messageKey(members.thread_id, seq) });
  const first = async (from: Date) => (await history.page(members, "bob", { from }, 2)).map(({ seq }) => seq);
  expect([await first(at(0)), await first(at(3)), await first(new Date(at(3).getTime() + 1))]).toEqual([
    [1, 2],
    [3],
    [6, 7],
  ]);
  expect([await first(at(8)), await first(at(9))]).toEqual([[8], []]);
});

it("finds the first message since a time that the user has not hidden", async () => {
  const { messages, threads, store, markers, marks, blocks } = await aService();
  const history = createHistory({ messages, threads, markers, marks, blocks });
  for (let seq = 1; seq <= 6; seq += 1) await store(String(seq));
  await messages.deleteOne({ _id: messageKey(members.thread_id, 3) });
  for (const seq of [1, 2, 4, 6]) {
    await marks.add("hidden", { thread_id: members.thread_id, user_id: "bob", seq }, 10);
  }
  const first = async (userId: string, from: Date) =>
    (await history.page(members, userId, { from }, 1)).map(({ seq }) => seq);
  const last = await messages.findOne({ _id: messageKey(members.thread_id, 6) });
  expect([await first("bob", new Date(0)), await first("ann", new Date(0))]).toEqual([[5], [1]]);
  expect(await first("bob", new Date((last?.timestamp.getTime() ?? 0) + 1))).toEqual([]);
});
