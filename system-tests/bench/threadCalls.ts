import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { logProgress } from "@messageoh/cli/progress";
import { updateMessageRead } from "@messageoh/contracts/messages";
import type { Stack } from "@messageoh/stack/stack";
import mongoose from "mongoose";
import { Account, pause } from "../client/account.ts";
import { connectSocket } from "../client/socketConnection.ts";
import { workThrough } from "../fuzz/findings.ts";
import { inParallel } from "./connections.ts";
import { format, median } from "./figures.ts";
import { ALL, sumCpu, withCpu } from "./load/cpu.ts";
import { befriend, getThreads } from "./load/threads.ts";
import { startFull } from "./targets/full.ts";

const FRIENDS = [1, 50];
/** Two groups in which all users have 50 friends. */
const USERS = 102;
const AT_A_TIME = 40;
const WARM_UP_CALLS = 500;

/**
 * Measures the CPU time of all processes for one GET /threads, in milliseconds, in interleaved rounds. The time that the
 * processes need without calls is subtracted.
 * @param roots checkouts to measure; the figures of the first one are compared with those of the second
 */
export async function measureThreadCalls(
  dir: string,
  roots: readonly string[],
  { rounds, calls }: { rounds: number; calls: number },
): Promise<Record<string, number>> {
  const targets: Awaited<ReturnType<typeof startFull>>[] = [];
  try {
    const measured: { url: string; users: Account[]; key: string; processes: Stack["processes"]; ms: number[] }[] = [];
    for (const [index, root] of roots.entries()) {
      const target = await startFull(join(dir, `threads-${index}`), { root });
      targets.push(target);
      const url = target.stack.url.replace("localhost", "127.0.0.1");
      for (const friends of FRIENDS) {
        const users = await createGroups(target.stack, url, friends);
        await callInTurn(url, users, WARM_UP_CALLS);
        const key = `threads_cpu_ms_${friends}${index === 0 ? "" : "_of_against"}`;
        measured.push({ url, users, key, processes: target.processes, ms: [] });
      }
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const { url, users, key, processes, ms } of round % 2 === 0 ? measured : measured.toReversed()) {
        const beganAt = performance.now();
        const busy = await withCpu(processes, () => callInTurn(url, users, calls));
        const tookMs = performance.now() - beganAt;
        const idle = await withCpu(processes, () => pause(tookMs).then(() => ({ messages: calls })));
        ms.push((sumCpu(busy.cpu, ALL) - sumCpu(idle.cpu, ALL)) / 1_000);
        logProgress(`round ${round + 1}, ${key}: ${format(ms.at(-1) as number, 2)}`);
      }
    }
    const figures = Object.fromEntries(measured.map(({ key, ms }) => [key, median(ms)]));
    for (const [index, friends] of FRIENDS.entries()) {
      const [own, other] = [measured[index]?.ms, measured[index + FRIENDS.length]?.ms];
      if (!own || !other) continue;
      figures[`against_threads_cpu_${friends}`] = median(own.map((ms, round) => ms / (other[round] as number)));
    }
    return figures;
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
  }
}

/** Calls GET /threads of the users, one call at a time, so that calls share nothing on a slow machine. */
async function callInTurn(url: string, users: readonly Account[], calls: number): Promise<{ messages: number }> {
  for (let call = 0; call < calls; call += 1) {
    const status = await getThreads(url, users[call % users.length] as Account);
    if (status !== 200) throw new Error(`GET /threads returned status ${status}`);
  }
  return { messages: calls };
}

/** Registers users in groups in which all are friends. Each of their threads has a message, which was read. */
async function createGroups(stack: Stack, url: string, friends: number): Promise<Account[]> {
  const users = await inParallel(USERS, () => Account.register(url, "Group"));
  const pairs = users.flatMap((user, n) => {
    const groupEnd = n - (n % (friends + 1)) + friends + 1;
    return users.slice(n + 1, groupEnd).map((friend) => [user, friend] as const);
  });
  const database = await mongoose.createConnection(stack.mongoUrl, { dbName: "users" }).asPromise();
  const threadIds = await befriend(database, pairs);
  await database.close();
  const threads = Map.groupBy(pairs.entries(), ([, [user]]) => user);
  await workThrough(threads, AT_A_TIME, async ([user, own]) => {
    const connection = await connectSocket({ url, cookie: user.cookie });
    for (const [index, [, friend]] of own) {
      const thread_id = threadIds[index] as string;
      const route = { thread_id, sending_user_id: user.id, recipient_user_id: friend.id };
      const message = { text: "hello", timestamp: new Date().toISOString(), read: false, client_id: randomUUID() };
      await connection?.request("send_message", { ...route, ...message });
      await friend.call(updateMessageRead, { body: { thread_id } });
    }
    connection?.close();
  });
  return users;
}
