import { kill } from "node:process";
import { logProgress } from "@messageoh/stack/command/progress";
import type { Stack } from "@messageoh/stack/stack";
import pLimit from "p-limit";
import { Account, pause } from "../client/account.ts";
import { connectSocket, type SocketConnection } from "../client/socketConnection.ts";
import { residentBytes } from "./load/cpu.ts";

const USERS = 1_000;
const IDLE_SOCKETS = 5_000;
/** Sockets that connect before the measurement, to exclude one-time allocations. */
const FIRST_SOCKETS = 1_000;
const AT_A_TIME = 40;
/** Reconnection delays of the Socket.IO client. */
const RECONNECT_FIRST_MS = 1_000;
const RECONNECT_MAX_MS = 5_000;

export interface ConnectionFigures {
  perSecond: number;
  kbPerConnection: number;
  sockets: number;
  /** Seconds from the kill until half of the sockets, and all of them, have reconnected. */
  halfBackAfter: number;
  allBackAfter: number;
}

/**
 * Measures the connection rate, the memory of an idle connection, and the reconnection time after an instance is
 * killed.
 */
export async function measureConnections(stack: Stack, sockets: number): Promise<ConnectionFigures> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  logProgress(`registering ${USERS} users ...`);
  const users = await inParallel(USERS, () => Account.register(url, "Idle"));
  const cookieOf = (index: number) => (users[index % USERS] as Account).cookie;
  const realtime = () => stack.processes().filter(({ name }) => name.startsWith("svc-realtime"));

  const connect = (index: number) => connectSocket({ url, cookie: cookieOf(index) });
  const first = await inParallel(FIRST_SOCKETS, connect);
  const before = await memoryOf(realtime());
  const beganAt = performance.now();
  const idle = await inParallel(IDLE_SOCKETS, connect);
  const seconds = (performance.now() - beganAt) / 1_000;
  await pause(2_000);
  const after = await memoryOf(realtime());
  for (const connection of [...first, ...idle]) connection.close();

  const victim = realtime()[0] as { name: string; pid: number };
  logProgress(`connecting ${sockets} sockets to ${victim.name} ...`);
  return {
    perSecond: IDLE_SOCKETS / seconds,
    kbPerConnection: (after - before) / IDLE_SOCKETS / 1_000,
    sockets,
    ...(await killAndWait(url, victim, sockets, cookieOf)),
  };
}

async function killAndWait(
  url: string,
  victim: { name: string; pid: number },
  sockets: number,
  cookieOf: (index: number) => string,
): Promise<{ halfBackAfter: number; allBackAfter: number }> {
  const open: SocketConnection[] = [];
  const backAfter: number[] = [];
  let killedAt = 0;
  const reconnect = async (index: number): Promise<void> => {
    for (let delay = RECONNECT_FIRST_MS; ; delay = Math.min(2 * delay, RECONNECT_MAX_MS)) {
      await pause(delay * (0.5 + Math.random()));
      const again = await connectSocket({ url, cookie: cookieOf(index) }).catch(() => null);
      if (!again) continue;
      open.push(again);
      backAfter.push((performance.now() - killedAt) / 1_000);
      return;
    }
  };
  const accepts = (instance: string) => instance === victim.name;
  await inParallel(sockets, async (index) => {
    open.push(await connectSocket({ url, cookie: cookieOf(index), accepts, onClose: () => void reconnect(index) }));
  });
  logProgress(`killing ${victim.name}`);
  killedAt = performance.now();
  kill(victim.pid, "SIGKILL");
  while (backAfter.length < sockets) await pause(50);
  for (const connection of open) connection.close();
  backAfter.sort((a, b) => a - b);
  return { halfBackAfter: backAfter[Math.floor(sockets / 2)] ?? 0, allBackAfter: backAfter.at(-1) ?? 0 };
}

/** Returns the memory of these processes after a garbage collection, in bytes. */
async function memoryOf(processes: readonly { pid: number }[]): Promise<number> {
  for (const { pid } of processes) kill(pid, "SIGUSR2");
  await pause(1_500);
  return processes.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
}

/** Runs `work` for each index below `count`, 40 at a time, and returns the results. */
export const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  pLimit(AT_A_TIME).map(Array(count).keys(), work);
