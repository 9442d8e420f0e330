import { logProgress } from "@messageoh/stack/command/progress";
import { until } from "@messageoh/stack/ports";
import { readProcStat } from "@messageoh/stack/processes/procStat";
import type { Stack } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import type { InjectedFault, Window } from "./checker/speed.ts";
import type { World } from "./clients/world.ts";
import type { Fault } from "./faults/fault.ts";
import type { Random } from "./random.ts";

/** A fault of a part has an effect on its clients for this time after its end. */
const RECOVERY_MS = 4_000;
/** Time from the first fault to the second one. No user acts until then. */
export const FIRST_FAULT_MS = 5_000;
/** A part that a fault stops needs this long at most, because the machine may be busy. */
const STOPS_WITHIN_MS = 2_000;
/** Pairs without a client at such a part are unaffected by its faults. */
const SINGLE_PARTS = /^svc-realtime/;
const isOfSinglePart = ({ name }: Fault) => name === "kill a realtime instance";

export interface InjectOptions {
  stack: Stack;
  world: World;
  faults: readonly Fault[];
  /** Average seconds between two faults. */
  every: number;
  random: Random;
  isOver: () => boolean;
  /** Gets each fault. */
  injected: InjectedFault[];
}

/** Injects each fault once, one after the other. */
export async function injectEachAlone({ faults, injected }: Pick<InjectOptions, "faults" | "injected">): Promise<void> {
  for (const fault of faults) {
    await inject(fault, injected);
    await pause(RECOVERY_MS);
  }
}

/**
 * Injects the faults in a random order until `isOver`, several at the same time, and waits for their end. Returns the
 * times with a fault of a single part.
 */
export async function injectFaults(options: InjectOptions): Promise<Window[]> {
  const { stack, world, faults, every, random, isOver, injected } = options;
  const running = new Set<Promise<void>>();
  const windows: Window[] = [];
  let order: Fault[] = [];
  let last: Window | undefined;
  let lastEnd = 0;
  for (;;) {
    // The first fault is a single one, so that each run has witnesses.
    const wait = every * 1_000 * random.between(0.6, 1.4);
    if (injected.length > 0) await pause(injected.length === 1 ? Math.max(FIRST_FAULT_MS, wait) : wait);
    if (isOver()) break;
    if (order.length === 0) order = random.shuffled(faults);
    if (injected.length === 0) order.sort((a, b) => Number(isOfSinglePart(a)) - Number(isOfSinglePart(b)));
    const fault = order.pop() as Fault;
    const isAlone = running.size === 0 && Date.now() > lastEnd + RECOVERY_MS;
    if (last) last.to = Math.min(last.to, Date.now());
    last = undefined;
    const before = stack.processes();
    const clients = instancesOf(world);
    const ended = inject(fault, injected).then(() => {
      running.delete(ended);
      lastEnd = Date.now();
    });
    running.add(ended);
    if (!isAlone) continue;
    const from = Date.now();
    const stopped = () => before.filter(({ pid }) => !isRunning(pid));
    await until(() => stopped().length > 0, STOPS_WITHIN_MS);
    const parts = stopped().map(({ name }) => name);
    if (parts.length !== 1 || !parts.every((part) => SINGLE_PARTS.test(part))) continue;
    last = { fault: fault.name, from, to: from + RECOVERY_MS, ...usersWithout(parts, clients) };
    windows.push(last);
  }
  await Promise.all(running);
  return windows;
}

async function inject({ name, inject: begin }: Fault, injected: InjectedFault[]): Promise<void> {
  logProgress(name);
  const entry = { name, from: Date.now(), to: Number.POSITIVE_INFINITY };
  injected.push(entry);
  await begin();
  entry.to = Date.now() + RECOVERY_MS;
}

/** The realtime instances of the clients of a user. */
interface Instances {
  sending: string | undefined;
  receiving: (string | undefined)[];
}

function instancesOf({ people, crowd }: World): Map<string, Instances> {
  const instances = new Map<string, Instances>();
  for (const { id, browser, tabs } of people) {
    instances.set(id, { sending: browser.sendsThrough, receiving: tabs.map(({ instance }) => instance) });
  }
  for (const { id, instance } of crowd.members) instances.set(id, { sending: instance, receiving: [instance] });
  return instances;
}

/** Returns the senders and the recipients who do not depend on any of these parts. */
function usersWithout(parts: readonly string[], instances: ReadonlyMap<string, Instances>) {
  const isUp = (name: string | undefined) => name !== undefined && !parts.includes(name);
  const idsWhere = (isUnaffected: (user: Instances) => boolean) =>
    new Set([...instances].filter(([, user]) => isUnaffected(user)).map(([id]) => id));
  return {
    senders: idsWhere(({ sending }) => isUp(sending)),
    recipients: idsWhere(({ receiving }) => receiving.some(isUp)),
  };
}

/** Returns whether a process exists and is not stopped. */
const isRunning = (pid: number): boolean => !["T", "Z", undefined].includes(readProcStat(pid)?.state);
