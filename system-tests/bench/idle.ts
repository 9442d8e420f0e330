import { printTable } from "@messageoh/stack/command/table";
import { POLL_MS } from "mfe-chat/client";
import { pause } from "../client/account.ts";
import { format } from "./figures.ts";
import { ALL, sumCpu, withCpu } from "./load/cpu.ts";
import { runClosed } from "./load/load.ts";
import { callThreads } from "./load/threads.ts";
import { startFull } from "./targets/full.ts";

/** Enough for a message in every thread. */
const CHAT = { inFlight: 64, seconds: 6 };
/** Time in which presence is announced and delivery receipts are stored. */
const SETTLE_MS = 12_000;

/**
 * Measures the CPU time of all processes while connected browsers, each with one friend, do nothing but compare their
 * threads as often as the chat does.
 */
export async function measureIdle(dataDir: string, browsers: number, seconds: number): Promise<Record<string, number>> {
  const { stack, processes, connect, users, stop } = await startFull(dataDir);
  try {
    const connections = await connect(browsers);
    for (const { connection } of users) await connection.request("join_room", connection.route);
    await runClosed(connections, CHAT);
    await pause(SETTLE_MS);
    const url = stack.url.replace("localhost", "127.0.0.1");
    const accounts = users.map(({ account }) => account);
    const polls = (1_000 * browsers) / POLL_MS;
    const { cpu, messages } = await withCpu(processes, () => callThreads(url, accounts, polls, seconds));
    for (const connection of connections) connection.close();
    const perSecond = (ms: number) => (ms * messages) / 1_000 / seconds;
    process.stdout.write(`\nCPU ms per second with ${format(browsers)} idle browsers\n\n`);
    printTable(
      ["process", "ms/s"],
      [...cpu].map(([name, ms]) => [name, format(perSecond(ms), 1)]),
    );
    return { idle_cpu_ms_per_s: perSecond(sumCpu(cpu, ALL)) };
  } finally {
    await stop();
  }
}
