import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kill } from "node:process";
import { logProgress } from "@messageoh/cli/progress";
import { sumOf } from "@messageoh/service-kit/metricsText";
import type { ProcessEntry } from "@messageoh/stack/processes/part";
import { Redis } from "ioredis";
import mongoose from "mongoose";
import { Account, pause } from "../client/account.ts";
import { connectSocket, type SocketConnection } from "../client/socketConnection.ts";
import { workThrough } from "../fuzz/findings.ts";
import { inParallel } from "./connections.ts";
import { quantile } from "./figures.ts";
import { cpuTimes, residentBytes } from "./load/cpu.ts";
import { scrape } from "./load/metrics.ts";
import { befriend, getThreads } from "./load/threads.ts";
import { startFull } from "./targets/full.ts";

const FRIENDS = 50;
const AT_ONCE = 20;
const SAMPLE_MS = 1_000;
/** Longer than all clients need. The measurement ends when the last one is back. */
const GIVE_UP_MS = 180_000;
/** The presence of those who connected first must be announced before the storm. */
const SETTLE_MS = 12_000;
/** The reconnection settings of the specification. */
const DELAY_MS = 1_000;
const DELAY_MAX_MS = 5_000;

type Figures = Record<string, number>;

/**
 * Reloads nginx while sockets of users with {@link FRIENDS} friends are connected. Each client connects again, joins its
 * rooms and compares its threads. Returns times in seconds, peaks and calls per returned socket.
 */
export async function measureStorm(dataDir: string, sockets: number): Promise<Figures> {
  const { stack, processes, stop } = await startFull(join(dataDir, "storm"), { realtimeInstances: 2 });
  await preferThisProcess();
  const database = await mongoose.createConnection(stack.mongoUrl, { dbName: "users" }).asPromise();
  const redis = new Redis(stack.redisUrl);
  try {
    const url = stack.url.replace("localhost", "127.0.0.1");
    const users = await inParallel(sockets, () => Account.register(url, "Storm"));
    await befriend(database, pairsOf(users));
    logProgress(`${sockets} users with ${FRIENDS} friends each`);
    const crowd = new Crowd(url, users);
    await crowd.connect();
    logProgress(`${crowd.open} sockets are connected`);
    await pause(SETTLE_MS);

    const counters = () => readCounters(processes(), database, redis);
    const before = await counters();
    const { peaks, seconds } = await crowd.storm(processes);
    const after = await counters();
    const perSocket = Object.keys(before).map((name) => {
      const calls = (after[name] as number) - (before[name] as number);
      return [`${name} per returned socket`, calls / Math.max(1, crowd.returned)] as const;
    });
    return { sockets, ...seconds, ...peaks, ...Object.fromEntries(perSocket) };
  } finally {
    redis.disconnect();
    await database.close();
    await stop();
  }
}

/**
 * Gives this process precedence over the stack, because real clients run on machines of their own. Linux shares the
 * processors among sessions first, so the priority of a process has no effect on others.
 */
const preferThisProcess = (): Promise<void> =>
  writeFile("/proc/self/autogroup", "-10").catch(() => logProgress("no permission to prefer the clients"));

/** Returns the pairs of friends: each user has the same number of friends before and after them. */
const pairsOf = (users: readonly Account[]) =>
  users.flatMap((user, n) =>
    Array.from({ length: FRIENDS / 2 }, (_, step) => [user, users[(n + step + 1) % users.length] as Account] as const),
  );

/** The clients of all users. */
class Crowd {
  readonly #url: string;
  readonly #users: readonly Account[];
  readonly #connections = new Set<SocketConnection>();
  readonly #connectedAt: number[] = [];
  readonly #returnedAt: number[] = [];
  #reloadedAt = 0;
  #lost = 0;
  #isOver = false;

  constructor(url: string, users: readonly Account[]) {
    this.#url = url;
    this.#users = users;
  }

  get open(): number {
    return this.#connections.size;
  }

  get returned(): number {
    return this.#returnedAt.length;
  }

  async connect(): Promise<void> {
    await workThrough(this.#users.keys(), AT_ONCE, async (user) => {
      while (!(await this.#enter(user))) await pause(DELAY_MS);
      while (!(await this.#compare(user))) await pause(DELAY_MS);
    });
  }

  /** Reloads nginx and waits until each client has lost its connection and is back. */
  async storm(processes: () => readonly ProcessEntry[]): Promise<{ seconds: Figures; peaks: Figures }> {
    const nginx = processes().find(({ name }) => name === "gateway") as ProcessEntry;
    const peakCpu = new Map<string, number>();
    const peakBytes = new Map<string, number>();
    this.#reloadedAt = performance.now();
    kill(nginx.pid, "SIGHUP");
    let last = cpuTimes(processes());
    let lastAt = performance.now();
    const isDone = () => this.#lost >= this.#users.length && this.returned >= this.#lost;
    while (!isDone() && performance.now() - this.#reloadedAt < GIVE_UP_MS) {
      await pause(SAMPLE_MS);
      const used = cpuTimes(processes());
      const at = performance.now();
      for (const { name, pid } of processes()) {
        const cores = ((used.get(name) ?? 0) - (last.get(name) ?? 0)) / (at - lastAt);
        peakCpu.set(name, Math.max(cores, peakCpu.get(name) ?? 0));
        peakBytes.set(name, Math.max(residentBytes(pid), peakBytes.get(name) ?? 0));
      }
      [last, lastAt] = [used, at];
    }
    this.#isOver = true;
    for (const connection of this.#connections) connection.close();
    return { seconds: this.#seconds(), peaks: { ...peaksOf("CPU, cores", peakCpu), ...peaksOf("MB", peakBytes, 1e6) } };
  }

  #seconds(): Figures {
    // nginx closes the connections of the replaced workers after its shutdown timeout.
    const since = (at: number) => (at - this.#firstLostAt) / 1_000;
    return {
      "sockets lost": this.#lost,
      "sockets back": this.returned,
      "seconds from the reload to the first loss": (this.#firstLostAt - this.#reloadedAt) / 1_000,
      "seconds from the first loss until all are connected": since(this.#connectedAt.at(-1) ?? Number.NaN),
      "seconds from the first loss until half have compared": since(quantile(this.#returnedAt, 0.5)),
      "seconds from the first loss until all have compared": since(this.#returnedAt.at(-1) ?? Number.NaN),
    };
  }

  #firstLostAt = 0;

  #onLost(user: number): void {
    if (this.#isOver) return;
    this.#lost += 1;
    this.#firstLostAt ||= performance.now();
    void this.#return(user);
  }

  /** Connects a user again, with the delays of the specification. */
  async #return(user: number): Promise<void> {
    for (let delay = DELAY_MS; !this.#isOver; delay = Math.min(DELAY_MAX_MS, 2 * delay)) {
      await pause(delay * (0.5 + Math.random()));
      if (await this.#enter(user)) break;
    }
    if (this.#isOver) return;
    this.#connectedAt.push(performance.now());
    while (!(await this.#compare(user))) await pause(DELAY_MS);
    if (!this.#isOver) this.#returnedAt.push(performance.now());
  }

  /** Connects a user and joins the rooms of all friends. Returns whether it succeeded. */
  async #enter(user: number): Promise<boolean> {
    const { id, cookie } = this.#users[user] as Account;
    let connection: SocketConnection | null = null;
    const onClose = () => {
      if (!connection || !this.#connections.delete(connection)) return;
      this.#onLost(user);
    };
    connection = await connectSocket({ url: this.#url, cookie, onClose }).catch(() => null);
    if (!connection) return false;
    this.#connections.add(connection);
    for (const friend of this.#friendsOf(user)) {
      connection.emit("join_room", { sending_user_id: id, recipient_user_id: friend });
    }
    return true;
  }

  /** Compares the threads of a user. Returns whether it succeeded. */
  async #compare(user: number): Promise<boolean> {
    const status = await getThreads(this.#url, this.#users[user] as Account);
    return status === 200 || this.#isOver;
  }

  #friendsOf(user: number): string[] {
    const count = this.#users.length;
    const idOf = (index: number) => (this.#users[index % count] as Account).id;
    const steps = Array.from({ length: FRIENDS / 2 }, (_, step) => step + 1);
    return steps.flatMap((step) => [idOf(user + step), idOf(user - step + count)]);
  }
}

const peaksOf = (unit: string, peaks: ReadonlyMap<string, number>, divisor = 1): Figures =>
  Object.fromEntries([...peaks].map(([name, peak]) => [`peak of ${name}, ${unit}`, peak / divisor]));

async function readCounters(
  processes: readonly ProcessEntry[],
  database: mongoose.Connection,
  redis: Redis,
): Promise<Figures> {
  const users = await scrape(processes, "svc-users");
  const status = await database.getClient().db("admin").command({ serverStatus: 1 });
  const { query, command, getmore } = status.opcounters;
  return {
    "calls to svc-users": sumOf(users, "http_request_duration_seconds_count"),
    "MongoDB operations": query + command + getmore,
    "Redis commands": Number(/total_commands_processed:(\d+)/.exec(await redis.info("stats"))?.[1]),
  };
}
