import type { NewMessage } from "@messageoh/contracts/messages";
import type { Stored } from "./storeBatch.ts";
import { createWriter } from "./writer.ts";

const aMessage = (client_id: string) => ({ client_id }) as NewMessage;
const rowsOf = (batch: readonly NewMessage[]) => batch.map(({ client_id }) => ({ row: { client_id } }) as Stored);
const ids = (batch: readonly NewMessage[]) => batch.map(({ client_id }) => client_id);
const idsOf = (stored: readonly Stored[]) => stored.map(({ row }) => row.client_id);

it("writes at once when idle, and together what arrives during a write", async () => {
  const batches: string[][] = [];
  const write = createWriter(
    async (batch) => {
      batches.push(ids(batch));
      await new Promise((resolve) => setTimeout(resolve, 5));
      return rowsOf(batch);
    },
    () => {},
  );
  const answers = await Promise.all([
    write([aMessage("a")]),
    write([aMessage("b"), aMessage("c")]),
    write([aMessage("d")]),
  ]);
  expect(batches).toEqual([["a"], ["b", "c", "d"]]);
  expect(answers.map(idsOf)).toEqual([["a"], ["b", "c"], ["d"]]);
});

it("publishes in the order of writing, before anyone is answered", async () => {
  const log: string[] = [];
  const write = createWriter(
    async (batch) => rowsOf(batch),
    (rows) => log.push(`published ${idsOf(rows)}`),
  );
  await Promise.all([write([aMessage("a")]).then(() => log.push("answered a")), write([aMessage("b")])]);
  expect(log).toEqual(["published a", "answered a", "published b"]);
});

it("answers a failed write with its error and goes on", async () => {
  let fails = true;
  const write = createWriter(
    async (batch) => {
      if (fails) throw new Error("no database");
      return rowsOf(batch);
    },
    () => {},
  );
  await expect(write([aMessage("a")])).rejects.toThrow("no database");
  fails = false;
  expect(idsOf(await write([aMessage("a")]))).toEqual(["a"]);
});

it("refuses what does not fit into its queue", async () => {
  const write = createWriter(
    () => new Promise(() => {}),
    () => {},
  );
  const batch = Array.from({ length: 250 }, (_, index) => aMessage(`${index}`));
  for (let count = 0; count < 21; count += 1) write(batch).catch(() => {});
  await expect(write(batch)).rejects.toMatchObject({ status: 503 });
});
