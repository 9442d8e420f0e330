import { logProgress, PlainError } from "@messageoh/cli/progress";
import type { Stack } from "@messageoh/stack/stack";
import { pause } from "../client/account.ts";
import { checkFriendships, checkSessions } from "./checker/accounts.ts";
import { Checks } from "./checker/checks.ts";
import { Ledger } from "./checker/ledger.ts";
import { checkTabs } from "./checker/shown.ts";
import { SlownessProbe } from "./checker/slowness.ts";
import {
  type Bounds,
  boundsOf,
  checkAfterLastFault,
  checkQuiet,
  checkUnaffected,
  longestSilence,
  type Window,
} from "./checker/speed.ts";
import { checkStored } from "./checker/stored.ts";
import { checkUnreadAfterFaults, checkUnreadOfNewMessages } from "./checker/unread.ts";
import { waitUntil } from "./checker/waitUntil.ts";
import { runActions } from "./clients/actions.ts";
import { chat } from "./clients/chat.ts";
import { World } from "./clients/world.ts";
import { createFaults } from "./faults/faults.ts";
import { FIRST_FAULT_MS, injectFaults } from "./injectFaults.ts";
import type { Links } from "./links/links.ts";
import { createRandom } from "./random.ts";

export interface RunOptions {
  minutes: number;
  /** Users at the start. */
  users: number;
  /** Each user has twice as many friends at the start. */
  reach: number;
  /** Messages per second of all users. */
  rate: number;
  /** Actions per second of all users, such as a log-out. */
  actions: number;
  /** Average seconds between two faults. */
  faultEvery: number;
  seed: number;
  /** How long a pair may need for a message after the last fault on a fast machine, in milliseconds. */
  patienceMs: number;
  /** Parts of the names of the faults to inject; all if empty. */
  only: readonly string[];
}

export interface RunResult {
  checks: Checks;
  sent: number;
  acked: number;
  faults: Map<string, number>;
  actions: Map<string, number>;
  quietMs: number;
  unaffectedP99Ms: number;
  longestSilenceMs: number;
  bounds: Bounds;
}

/** Shortest and longest time without faults, and the messages that arrive in between on a slow machine. */
const QUIET_MS = 4_000;
const QUIET_MAX_MS = 120_000;
const QUIET_MESSAGES = 20;

/** Injects faults while users chat, sign in and out and add friends; then checks what everyone has. */
export async function runChaos(stack: Stack, links: Links, options: RunOptions): Promise<RunResult> {
  const random = createRandom(options.seed);
  const checks = new Checks();
  const world = new World(await urlOfBrowsers(stack, links), new Ledger(checks));
  const probe = new SlownessProbe();
  await world.populate(options.users, options.reach);
  logProgress(`${world.people.length} users with ${world.clients.length} clients in ${world.pairs.length} threads`);

  let isOver = false;
  const chatting = chat(world, { rate: options.rate, random, isOver: () => isOver });
  const quietSince = Date.now();
  await pause(QUIET_MS);
  const arrived = () => [...world.ledger.sent.values()].filter(({ arrivedAt }) => arrivedAt !== undefined).length;
  await waitUntil(() => arrived() >= QUIET_MESSAGES, QUIET_MAX_MS);
  const quietMs = checkQuiet(world.ledger, probe, quietSince);
  logProgress(`without faults, nine in ten messages arrive within ${quietMs} ms`);

  const endAt = Date.now() + options.minutes * 60_000;
  const scaledPatience = (since: number) => () =>
    boundsOf(quietMs, probe.since(since), options.patienceMs).afterLastFaultMs;
  const { injected, windows, actions } = await injectAndAct(
    { stack, links, world },
    options,
    endAt,
    scaledPatience(endAt),
  );
  const bounds = await checkAfterLastFault(world, { probe, quietMs, patienceMs: options.patienceMs });
  isOver = true;
  await chatting;

  logProgress("comparing");
  await settle(world, bounds);
  await checkEverything(world, bounds, createRandom(options.seed));
  const unaffectedP99Ms = checkUnaffected(world, windows, probe, quietMs);
  for (const person of world.people) person.close();
  await probe.stop();
  const sent = [...world.ledger.sent.values()].filter(({ isGuaranteed }) => isGuaranteed);
  return {
    checks,
    sent: sent.length,
    acked: sent.filter(({ isAcked, id }) => isAcked || id !== undefined).length,
    faults: injected,
    actions,
    quietMs,
    unaffectedP99Ms,
    longestSilenceMs: longestSilence(world),
    bounds,
  };
}

/** Returns the address of a link through which browsers reach the gateway. */
async function urlOfBrowsers({ url }: Stack, links: Links): Promise<string> {
  return `http://localhost:${await links.open("browsers", "gateway", Number(new URL(url).port))}`;
}

async function injectAndAct(
  parts: { stack: Stack; links: Links; world: World },
  options: RunOptions,
  endAt: number,
  patienceMs: () => number,
) {
  const isOver = () => Date.now() > endAt;
  const { stack, world } = parts;
  const all = createFaults({ ...parts, random: createRandom(options.seed + 1) });
  const unknown = options.only.find((part) => !all.some(({ name }) => name.includes(part)));
  if (unknown !== undefined) {
    throw new PlainError(`Unknown fault "${unknown}"; choose from:\n${all.map(({ name }) => name).join("\n")}`);
  }
  const chosen = all.filter(
    ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part)),
  );
  const withFaults = options.faultEvery > 0;
  const faults: { injected: Map<string, number>; windows: Window[] } = { injected: new Map(), windows: [] };
  const random = createRandom(options.seed + 2);
  const act = async () => {
    if (withFaults) await pause(FIRST_FAULT_MS);
    return runActions(world, { perSecond: options.actions, random, isOver, patienceMs });
  };
  const [actions] = await Promise.all([
    act(),
    withFaults &&
      injectFaults({
        stack,
        world,
        faults: chosen,
        every: options.faultEvery,
        random: createRandom(options.seed + 3),
        isOver,
        ...faults,
      }),
  ]);
  return { ...faults, actions };
}

/** Waits until everything that was sent has arrived at each client. */
export async function settle(world: World, { afterLastFaultMs }: Bounds): Promise<void> {
  const { people, ledger } = world;
  const missing = () => {
    const sent = [...ledger.sent.values()];
    return [
      ...people.filter((person) => !person.isReady).map(({ id }) => `a client of ${id} is not connected`),
      ...people.filter(({ browser }) => browser.unsent > 0).map(({ id }) => `${id} has unsent messages`),
      ...people.filter(({ phone }) => !phone.hasAll(sent)).map(({ phone }) => `${phone.name} lacks messages`),
      ...sent
        .filter(({ isGuaranteed, arrivedAt }) => isGuaranteed && arrivedAt === undefined)
        .map(({ text, to }) => `${to} does not know of "${text.slice(0, 60)}"`),
    ];
  };
  if (await waitUntil(() => missing().length === 0, afterLastFaultMs)) return;
  logProgress(`not settled:\n${missing().slice(0, 10).join("\n")}`);
}

/** Compares what everyone has with what was sent. */
export async function checkEverything(
  world: World,
  { scale, afterLastFaultMs }: Bounds,
  random: ReturnType<typeof createRandom>,
) {
  const { checks, sent } = world.ledger;
  for (const { phone } of world.people) {
    const { due, missing } = phone.missing(sent.values(), scale);
    for (let n = 0; n < due; n += 1) {
      const about = () => `${phone.name} of ${phone.session.userId} lacks "${missing[n]?.text.slice(0, 60)}"`;
      checks.verify("a connected client receives each message", n >= missing.length, about);
    }
  }
  await checkFriendships(world, afterLastFaultMs);
  const stored = await checkStored(world);
  await checkUnreadAfterFaults(world, stored, afterLastFaultMs);
  await checkTabs(world, stored, afterLastFaultMs);
  await checkUnreadOfNewMessages(world, { url: world.url, random, boundMs: afterLastFaultMs });
  await checkSessions(world, afterLastFaultMs);
}
