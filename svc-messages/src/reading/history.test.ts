import { aReader, members } from "../../testing/reader.ts";
import { messageKey } from "../messages/message.model.ts";
import { createHistory } from "./history.ts";

it("fills each page of starred messages, also if a newer one is hidden", async () => {
  const { messages, threads, store, markers, marks } = await aReader();
  const history = createHistory({ messages, threads, markers, marks });
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
  const { messages, threads, store, markers, marks } = await aReader();
  const history = createHistory({ messages, threads, markers, marks });
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
  const { messages, threads, store, markers, marks } = await aReader();
  const history = createHistory({ messages, threads, markers, marks });
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
