import { isPrimary } from "@messageoh/stack/dependencies/mongo";
import type { Stack } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import type { Random } from "./random.ts";

const FREEZE_MS = 10_000;

export interface Fault {
  name: string;
  /** Injects the fault; resolves when a temporary fault is over. The supervisor restarts killed processes. */
  inject: () => Promise<void> | void;
}

/** Returns all faults. */
export function createFaults(
  stack: Stack,
  world: { clients: readonly { cut: () => void }[] },
  random: Random,
): Fault[] {
  const pidsOf = (prefix: string) =>
    stack
      .processes()
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ pid }) => pid);
  const signal = (pid: number | undefined, name: NodeJS.Signals) => {
    try {
      if (pid !== undefined) process.kill(pid, name);
    } catch {
      // The process has just ended because of another fault.
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
    { name: "kill a realtime instance", inject: kill("svc-realtime") },
    { name: "kill a messages instance", inject: kill("svc-messages") },
    { name: "kill svc-users", inject: kill("svc-users") },
    { name: "kill Redis, back empty", inject: kill("redis") },
    { name: "kill the MongoDB primary", inject: killPrimary },
    { name: "kill a MongoDB member", inject: kill("mongo") },
    { name: "drain a realtime instance", inject: () => signal(random.pick(pidsOf("svc-realtime")), "SIGTERM") },
    { name: "reload nginx", inject: () => signal(pidsOf("gateway")[0], "SIGHUP") },
    {
      name: "cut off a third of the clients",
      inject: () => {
        for (const client of random.shuffled(world.clients).slice(0, Math.ceil(world.clients.length / 3))) client.cut();
      },
    },
    { name: "freeze a realtime instance", inject: freeze("svc-realtime") },
    { name: "freeze a messages instance", inject: freeze("svc-messages") },
    { name: "freeze svc-users", inject: freeze("svc-users") },
    { name: "freeze Redis", inject: freeze("redis") },
  ];
}
