import { get } from "node:http";
import type { Account } from "../../client/account.ts";
import { atRate } from "../../client/steadyRate.ts";

/** Compares the threads of a user. Returns the status of the response; 0 if there is none. */
const getThreads = (url: string, { id, cookie }: Account): Promise<number> =>
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
  await atRate({ rate: perSecond, isOver: () => calls.length >= total }, () =>
    calls.push(getThreads(url, users[calls.length % users.length] as Account)),
  );
  const failed = (await Promise.all(calls)).find((status) => status !== 200);
  if (failed !== undefined) throw new Error(`GET /threads returned status ${failed}`);
  return { messages: total };
}
