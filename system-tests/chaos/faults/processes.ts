import { findPrimary, withMember } from "@messageoh/stack/dependencies/mongo";
import { pause } from "../../client/account.ts";
import { setAll } from "../links/links.ts";
import { type Fault, type FaultContext, succeeds } from "./fault.ts";

const FREEZE_MS = 10_000;
/** Time for which an instance stores messages without publishing them. */
const UNPUBLISHED_MS = 1_000;

/** Signals a process, or its whole group if the pid is negative. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // The process has just ended because of another fault.
  }
}

/** Returns the faults of processes: each kind of process is killed, frozen, or told to restart. */
export function processFaults({ stack, links, random }: FaultContext): Fault[] {
  const pidsOf = (prefix: string) =>
    stack
      .processes()
      .filter(({ name }) => name.startsWith(prefix) && name !== "redis-replica")
      .map(({ pid }) => pid);
  const kill = (prefix: string) => () => signal(random.pick(pidsOf(prefix)), "SIGKILL");
  const freezePid = async (pid: number | undefined) => {
    // nginx serves from worker processes, which are in the group of their master.
    const group = pid === undefined ? undefined : -pid;
    signal(group, "SIGSTOP");
    await pause(FREEZE_MS);
    signal(group, "SIGCONT");
  };
  const freeze = (prefix: string) => () => freezePid(random.pick(pidsOf(prefix)));
  const primaryPid = async () => {
    const members = stack.processes().filter(({ name }) => name.startsWith("mongo"));
    return (await findPrimary(members))?.pid;
  };
  /** Kills an instance of svc-messages whose last events have not reached Redis. */
  const killBeforePublishing = async () => {
    const victim = random.pick(stack.processes().filter(({ name }) => name.startsWith("svc-messages")));
    const toRedis = links.between("svc-messages", "redis").filter(({ from }) => from === victim?.name);
    setAll(toRedis, { blocksRequests: true });
    await pause(UNPUBLISHED_MS);
    signal(victim?.pid, "SIGKILL");
    setAll(toRedis, {});
  };
  return [
    { name: "kill a messages instance between insert and publish", inject: killBeforePublishing },
    { name: "kill a realtime instance", inject: kill("svc-realtime") },
    { name: "kill a messages instance", inject: kill("svc-messages") },
    { name: "kill a users instance", inject: kill("svc-users") },
    { name: "kill a media instance", inject: kill("svc-media") },
    { name: "kill Redis, back empty", inject: kill("redis") },
    { name: "kill the MongoDB primary", inject: async () => signal(await primaryPid(), "SIGKILL") },
    { name: "kill a MongoDB member", inject: kill("mongo") },
    { name: "kill nginx", inject: kill("gateway") },
    {
      name: "step down the MongoDB primary",
      inject: () =>
        succeeds("the MongoDB primary steps down", () =>
          withMember(stack.mongoUrl, undefined, (admin) => admin.command({ replSetStepDown: 10 })).then(() => true),
        ),
    },
    { name: "drain a realtime instance", inject: () => signal(random.pick(pidsOf("svc-realtime")), "SIGTERM") },
    { name: "reload nginx", inject: () => signal(random.pick(pidsOf("gateway")), "SIGHUP") },
    { name: "freeze a realtime instance", inject: freeze("svc-realtime") },
    { name: "freeze a messages instance", inject: freeze("svc-messages") },
    { name: "freeze a users instance", inject: freeze("svc-users") },
    { name: "freeze a media instance", inject: freeze("svc-media") },
    { name: "freeze Redis", inject: freeze("redis") },
    { name: "freeze the MongoDB primary", inject: async () => freezePid(await primaryPid()) },
    { name: "freeze a MongoDB member", inject: freeze("mongo") },
    { name: "freeze nginx", inject: freeze("gateway") },
  ];
}
