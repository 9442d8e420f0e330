import { logProgress, PlainError } from "@messageoh/stack/command/progress";
import type { Stack } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import { Checks } from "./checker/checks.ts";
import { checkEverything, settle } from "./checker/everything.ts";
import { isAnswered, Ledger, type Sent } from "./checker/ledger.ts";
import { SlownessProbe } from "./checker/slowness.ts";
import {
  boundsOf,
  checkAfterLastFault,
  checkQuiet,
  checkUnaffected,
  type Delays,
  delaysByFault,
  type InjectedFault,
  longestSilence,
} from "./checker/speed.ts";
import { waitUntil } from "./checker/waitUntil.ts";
import { runActions } from "./clients/actions/actions.ts";
import { chat } from "./clients/chat.ts";
import { World } from "./clients/world.ts";
import type { Disks } from "./disks/disks.ts";
import type { Fault } from "./faults/fault.ts";
import { createFaults } from "./faults/faults.ts";
import { FIRST_FAULT_MS, injectEachAlone, injectFaults } from "./injectFaults.ts";
import type { Links } from "./links/links.ts";
import type { Options } from "./options.ts";
import { createRandom } from "./random.ts";

export interface RunOptions extends Options {
  /** Steps to do instead of the faults, in this order. */
  steps?: readonly Fault[];
}

/** A figure of a run: its name in the JSON file, its title in the report if it has one, and its value. */
type Figure = [name: string, title: string | undefined, value: number];

export interface RunResult {
  checks: Checks;
  figures: Figure[];
  faults: Map<string, number>;
  delays: Map<string, Delays>;
  actions: Map<string, number>;
}

/** The first messages of new processes and clients take longer, until their code is compiled. */
const WARM_UP_MS = 5_000;
/** Shortest and longest time without faults, and the messages that arrive in between on a slow machine. */
const QUIET_MS = 4_000;
const QUIET_MAX_MS = 120_000;
const QUIET_MESSAGES = 20;
/** Longest time for which MongoDB elects a primary. */
const ELECTION_MAX_MS = 10_000;

/** Injects faults while users chat, sign in and out and add friends; then checks the state of all clients. */
export async function runChaos(stack: Stack, links: Links, disks: Disks, options: RunOptions): Promise<RunResult> {
  const startedAt = Date.now();
  const random = createRandom(options.seed);
  const checks = new Checks();
  const world = new World(await urlOfBrowsers(stack, links), new Ledger(checks));
  const { ledger, crowd } = world;
  const probe = new SlownessProbe();
  const faults = chooseFaults(
    createFaults({ stack, links, disks, world, random: createRandom(options.seed + 1) }),
    options,
  );
  await world.populate(options.users, options.reach);
  await crowd.populate(options.crowd);
  logProgress(
    `${world.people.length} users with ${world.people.flatMap(({ clients }) => clients).length} clients in ${world.pairs.length} threads, ${crowd.members.length} with a light client`,
  );

  let isOver = false;
  const chatting = [
    chat(world, { rate: options.rate, random, isOver: () => isOver }),
    crowd.chat({ rate: options["crowd-rate"], random: createRandom(options.seed + 4), isOver: () => isOver }),
  ];
  await pause(WARM_UP_MS);
  const quietSince = Date.now();
  await pause(QUIET_MS);
  const arrived = () => [...ledger.sent.values()].filter(({ arrivedAt }) => arrivedAt !== undefined).length;
  await waitUntil(() => arrived() >= QUIET_MESSAGES, QUIET_MAX_MS);
  const quietMs = checkQuiet(ledger, probe, quietSince);
  logProgress(`without faults, nine in ten messages arrive within ${quietMs} ms`);

  const [faultsFrom, sentBefore] = [Date.now(), ledger.sent.size];
  const endAt = faultsFrom + options.minutes * 60_000;
  const patienceMs = 1_000 * options.patience;
  const scaledPatience = () => boundsOf(quietMs, probe.since(endAt), patienceMs).afterLastFaultMs;
  const { injected, windows, actions } = await injectAndAct(stack, world, faults, options, endAt, scaledPatience);
  logProgress("the faults are over");
  const perSecond = ((ledger.sent.size - sentBefore) / (Date.now() - faultsFrom)) * 1_000;
  const bounds = await checkAfterLastFault(world, { probe, quietMs, patienceMs });
  isOver = true;
  await Promise.all(chatting);

  logProgress("comparing");
  await settle(world, bounds);
  await checkEverything(world, bounds, createRandom(options.seed), options.without);
  const unaffectedP99Ms = checkUnaffected(world, windows, probe, quietMs);
  world.close();
  await probe.stop();
  const sent = [...ledger.sent.values()].filter(({ isGuaranteed }) => isGuaranteed);
  const users = world.people.length + world.departed.length + crowd.members.length;
  const count = (isCounted: (one: Sent) => boolean) => sent.filter(isCounted).length;
  return {
    checks,
    figures: [
      ["seed", "seed", options.seed],
      ["seconds", "seconds", Math.round((Date.now() - startedAt) / 1_000)],
      ["sent", "messages of clients that retry", sent.length],
      ["acked", "of them acked", count(({ ackedAt, id }) => ackedAt !== undefined || id !== undefined)],
      [
        "refused",
        "of them refused, because the friendship had ended",
        count(({ refusedAt }) => refusedAt !== undefined),
      ],
      ["given_up", "of them given up after five minutes", count((one) => !isAnswered(one) && ledger.isGivenUp(one))],
      ["late_events", "late events after a connection or a given-up gap", ledger.lateEvents],
      ["sent_without_ack", "messages of clients that do not retry", ledger.sent.size - sent.length],
      ["users", undefined, users],
      ["per_second", "messages per second while faults are injected", Math.round(perSecond)],
      ["quiet_ms", "nine in ten without faults, ms", quietMs],
      ["slower_by", "this machine is slower by", Math.round(bounds.scale * 10) / 10],
      ["bound_after_last_fault_ms", "bound after the last fault, ms", Math.round(bounds.afterLastFaultMs)],
      ["unaffected_p99_ms", "p99 of unaffected pairs during a fault, ms", unaffectedP99Ms],
      ["longest_silence_ms", "longest silence of a pair, ms", longestSilence(world)],
    ],
    faults: countNames(injected),
    delays: delaysByFault(world, injected),
    actions,
  };
}

/** Returns the address of a link through which browsers reach the gateway. */
async function urlOfBrowsers({ url }: Stack, links: Links): Promise<string> {
  return `http://localhost:${await links.open("browsers", "gateway", Number(new URL(url).port))}`;
}

function chooseFaults(all: readonly Fault[], { only, steps }: RunOptions): readonly Fault[] {
  if (steps) return steps;
  const unknown = only.find((part) => !all.some(({ name }) => name.includes(part)));
  if (unknown !== undefined) {
    throw new PlainError(`Unknown fault "${unknown}"; choose from:\n${all.map(({ name }) => name).join("\n")}`);
  }
  return all.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
}

async function injectAndAct(
  stack: Stack,
  world: World,
  faults: readonly Fault[],
  options: RunOptions,
  endAt: number,
  patienceMs: () => number,
) {
  const { "fault-every": every, seed, actions: perSecond, without } = options;
  const injected: InjectedFault[] = [];
  const mayElect = ({ name, to }: InjectedFault) =>
    /MongoDB (primary|member)/.test(name) && Date.now() < to + ELECTION_MAX_MS;
  world.ledger.mayReadOld = () => injected.some(mayElect);
  const isEachAlone = options.alone || options.steps !== undefined;
  let isDone = false;
  const isOver = () => (isEachAlone ? isDone : Date.now() > endAt);
  const inject = async () => {
    if (isEachAlone) {
      await injectEachAlone({ faults, injected });
      isDone = true;
      return [];
    }
    if (every === 0) return [];
    return injectFaults({ stack, world, faults, every, random: createRandom(seed + 3), isOver, injected });
  };
  const act = async () => {
    if (every > 0) await pause(FIRST_FAULT_MS);
    return runActions(world, { perSecond, without, random: createRandom(seed + 2), isOver, patienceMs });
  };
  const [actions, windows] = await Promise.all([act(), inject()]);
  return { injected, windows, actions };
}

function countNames(injected: readonly InjectedFault[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of injected) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
