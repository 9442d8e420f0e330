import { get } from "node:http";
import type mongoose from "mongoose";
import { type Account, pause } from "../../client/account.ts";
import { newId } from "../targets/baseline.ts";

/** Writes friendships into the database of svc-users, because adding each friend takes too long. Returns the thread ids. */
export async function befriend(
  database: mongoose.Connection,
  pairs: readonly (readonly [Account, Account])[],
): Promise<string[]> {
  const created_at = new Date();
  const rows = pairs.map((pair) => {
    const user_ids = pair.map(({ id }) => id).sort();
    return { _id: newId(), pair_key: user_ids.join(":"), user_ids, created_at };
  });
  await database.collection("friendships").insertMany(rows as never, { ordered: false });
  return rows.map(({ _id }) => _id);
}

/** Compares the threads of a user. Returns the status of the response; 0 if there is none. */
export const getThreads = (url: string, { id, cookie }: Account): Promise<number> =>
  new Promise((resolve) => {
    // `fetch` blocks its process with thousands of calls at a time.
    const headers = { cookie, "accept-encoding": "gzip" };
    const call = get(`${url}/messageoh/threads/${id}`, { agent: false, headers }, (response) => {
      response.on("close", () => resolve(response.complete ? (response.statusCode as number) : 0)).resume();
    });
    call.on("error", () => resolve(0));
  });

/** Compares the threads of the users in turn, at a steady rate. Throws an error if a call fails. */
export async function callThreads(
  url: string,
  users: readonly Account[],
  perSecond: number,
  seconds: number,
): Promise<{ messages: number }> {
  const total = Math.ceil(perSecond * seconds);
  const calls: Promise<number>[] = [];
  const beganAt = performance.now();
  while (calls.length < total) {
    const due = Math.min(total, ((performance.now() - beganAt) / 1_000) * perSecond);
    while (calls.length < due) calls.push(getThreads(url, users[calls.length % users.length] as Account));
    await pause(5);
  }
  const failed = (await Promise.all(calls)).find((status) => status !== 200);
  if (failed !== undefined) throw new Error(`GET /threads returned status ${failed}`);
  return { messages: total };
}
