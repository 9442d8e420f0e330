import { isPrimary } from "@messageoh/stack/dependencies/mongo";
import type { Stack } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import type { Random } from "./random.ts";

const FREEZE_MS = 10_000;

export interface Fault {
  name: string;
  /** Resolves when the fault is over, as far as it is not the supervisor that mends it. */
  strike: () => Promise<void> | void;
}

/** All kinds of faults, by name. What is killed, the supervisor starts again. */
export function createFaults(stack: Stack, clients: readonly { cut: () => void }[], random: Random): Fault[] {
  const pidsOf = (prefix: string) =>
    stack
      .processes()
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ pid }) => pid);
  const signal = (pid: number | undefined, name: NodeJS.Signals) => {
    try {
      if (pid !== undefined) process.kill(pid, name);
    } catch {
      // It died by itself or by another fault: that is a fault as well.
    }
  };
  const kill = (prefix: string) => () => signal(random.pick(pidsOf(prefix)), "SIGKILL");
  const killPrimary = async () => {
    const members = stack.processes().filter(({ name }) => name.startsWith("mongo"));
    const primary = await Promise.all(
      members.map(async (member) => ((await isPrimary(member.port)) ? member.pid : undefined)),
    );
    signal(
      primary.find((pid) => pid !== undefined),
      "SIGKILL",
    );
  };
  const freeze = (prefix: string) => async () => {
    const pid = random.pick(pidsOf(prefix));
    signal(pid, "SIGSTOP");
    await pause(FREEZE_MS);
    signal(pid, "SIGCONT");
  };
  return [
    { name: "kill a realtime instance", strike: kill("svc-realtime") },
    { name: "kill a messages instance", strike: kill("svc-messages") },
    { name: "kill svc-users", strike: kill("svc-users") },
    { name: "kill Redis, back empty", strike: kill("redis") },
    { name: "kill the MongoDB primary", strike: killPrimary },
    { name: "kill a MongoDB member", strike: kill("mongo") },
    { name: "drain a realtime instance", strike: () => signal(random.pick(pidsOf("svc-realtime")), "SIGTERM") },
    { name: "reload nginx", strike: () => signal(pidsOf("gateway")[0], "SIGHUP") },
    {
      name: "cut off a third of the clients",
      strike: () => {
        for (const client of random.shuffled(clients).slice(0, Math.ceil(clients.length / 3))) client.cut();
      },
    },
    { name: "freeze a realtime instance", strike: freeze("svc-realtime") },
    { name: "freeze a messages instance", strike: freeze("svc-messages") },
    { name: "freeze svc-users", strike: freeze("svc-users") },
    { name: "freeze Redis", strike: freeze("redis") },
  ];
}
