import { createMarks } from "../src/changes/marks.model.ts";
import { createMarkers } from "../src/markers/marker.model.ts";
import { createSearchBlocks } from "../src/reading/searchBlock.model.ts";
import { aMessage } from "./messages.ts";
import { openStore } from "./store.ts";

export const message = (client_id: string) => aMessage({ client_id, thread_id: "thread" });

export const members = { thread_id: "thread", user_ids: ["ann", "bob"] as [string, string], created_at: "2026-01-01" };

const drops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(drops.map((drop) => drop())));

/** Creates what the queries for users need, on a new database. It is dropped after the tests of the file. */
export async function aReader() {
  const { connection, messages, threads, storeBatch, drop } = await openStore();
  drops.push(drop);
  const store = (client_id: string) => storeBatch([message(client_id)]);
  const blocks = await createSearchBlocks(connection, messages);
  return {
    ...{ connection, messages, threads, store, storeBatch, blocks },
    ...{ markers: createMarkers(connection), marks: createMarks(connection) },
  };
}
