import { aMessage } from "../../testing/messages.ts";
import { aReader, members, message } from "../../testing/reader.ts";
import { createSearch, type Search } from "./search.ts";

/** Searches in threads as bob. */
const searchIn = async (search: Search, of: (typeof members)[], query: Parameters<Search["find"]>[2]) =>
  search.find(await search.prepare(of), "bob", query);

it("finds a word in capitals in old messages as in new ones, also one with the two small letters of Σ", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aReader();
  const search = createSearch({ messages, threads, markers, marks, blocks });
  const texts = ["Γεια σας", "Οδυσσέας", "ΟΔΥΣΣΕΑΣ"];
  // The texts are in a whole block at the beginning of the thread, and behind it.
  const all = [...texts, ...Array.from({ length: 97 }, () => "Heu"), ...texts];
  await storeBatch(all.map((text, index) => aMessage({ client_id: `${index}`, thread_id: "thread", text })));
  for (const [text, found] of [
    ["ΟΔΥΣ", ["ΟΔΥΣΣΕΑΣ", "Οδυσσέας"]],
    ["σασ", ["Γεια σας"]],
    ["ΣΑΣ", ["Γεια σας"]],
  ] as const) {
    const result = await searchIn(search, [members], { text });
    expect(result.map((message) => message.text)).toEqual([...found, ...found]);
  }
});

it("finds messages in long and short threads, newest first, while concurrent searches create the blocks", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aReader();
  const search = createSearch({ messages, threads, markers, marks, blocks });
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
  const find = async (text: string, limit: number) =>
    (await searchIn(search, all, { text, limit })).map((found) => found.text);
  const [first, again] = await Promise.all([find("nadelöhr", 200), find("Nadelöhr", 200)]);
  expect(expected).toHaveLength(96);
  expect(first).toEqual(expected);
  expect(again).toEqual(expected);
  expect(await find("nadelöhr", 5)).toEqual(expected.slice(0, 5));
  expect(await find("(long 3 1)", 10)).toEqual(["Heu (long 3 1)"]);
  expect(await find("heuhaufen", 10)).toEqual([]);
});

it("builds no blocks of a further thread for a client that has gone", async () => {
  const { connection, messages, threads, storeBatch, markers, marks, blocks } = await aReader();
  const search = createSearch({ messages, threads, markers, marks, blocks });
  const all = ["one", "other"].map((thread_id) => ({ ...members, thread_id }));
  for (const { thread_id } of all) {
    await storeBatch(Array.from({ length: 100 }, (_, index) => ({ ...message(`${thread_id} ${index}`), thread_id })));
  }
  const built = () => connection.collection("search_blocks").countDocuments();
  const isGone = jest.fn(() => true).mockReturnValueOnce(false);
  await expect(search.prepare(all, isGone)).rejects.toMatchObject({ status: 499 });
  expect(await built()).toBe(1);
  await search.prepare(all);
  expect(await built()).toBe(2);
});

it("finds messages in a block of a long thread with missing numbers", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aReader();
  const search = createSearch({ messages, threads, markers, marks, blocks });
  const batch = Array.from({ length: 230 }, (_, index) => ({ ...message(`${index}`), text: `(${index + 1})` }));
  await storeBatch(batch);
  await messages.deleteMany({ seq: { $in: [1, 42, 43, 100, 101, 199] } });
  const found = async (text: string) =>
    (await searchIn(search, [members], { text })).map(({ seq, text }) => [seq, text]);
  for (const seq of [2, 41, 44, 99, 102, 198, 200, 201, 230])
    expect(await found(`(${seq})`)).toEqual([[seq, `(${seq})`]]);
  expect(await found("(42)")).toEqual([]);
  expect(await found("(1)")).toEqual([]);
});

it("returns the newest results first, page by page, in a thread that consists of whole blocks", async () => {
  const { messages, threads, storeBatch, markers, marks, blocks } = await aReader();
  const search = createSearch({ messages, threads, markers, marks, blocks });
  await storeBatch(Array.from({ length: 200 }, (_, index) => message(`${index}`)));
  const page = (before_id?: string) => searchIn(search, [members], { text: "hello", limit: 3, before_id });
  const first = await page();
  expect(first.map(({ seq }) => seq)).toEqual([200, 199, 198]);
  expect((await page(first.at(-1)?.id)).map(({ seq }) => seq)).toEqual([197, 196, 195]);
});
