import { PlainError, say } from "@messageoh/cli/say";
import { answers } from "@messageoh/stack/services";
import type { Stack } from "@messageoh/stack/stack";
import { Account, pause } from "../client/account.ts";
import { createFaults } from "./faults.ts";
import { Observer } from "./observer.ts";
import { createRandom, type Random } from "./random.ts";
import { Tab, type TabOptions } from "./tab.ts";

export interface RunOptions extends TabOptions {
  minutes: number;
  pairs: number;
  /** Messages per second, all pairs together. */
  rate: number;
  /** Seconds between two faults, on average. */
  faultEvery: number;
  seed: number;
  /** Names of the faults to strike with; all if it is empty. */
  only: readonly string[];
}

/** Two friends: a tab each that sends, reads and catches up, and a tab each that only listens. */
export interface Pair {
  thread_id: string;
  tabs: Tab[];
  observers: Observer[];
  sent: number;
}

const SETTLE_MAX_MS = 90_000;

/** Lets the pairs chat at a steady rate while faults strike, then waits until everything has settled. */
export async function runChaos(
  stack: Stack,
  options: RunOptions,
): Promise<{ pairs: Pair[]; faults: Map<string, number> }> {
  const random = createRandom(options.seed);
  const pairs = await makePairs(stack.url, options);
  const clients = pairs.flatMap((pair) => [...pair.tabs, ...pair.observers]);
  while (clients.some(({ socket }) => !socket.connected)) await pause(100);
  say(`${pairs.length} pairs with ${clients.length} tabs are connected`);

  const struck = new Map<string, number>();
  const all = createFaults(stack, clients, random);
  const unknown = options.only.find((name) => !all.some((fault) => fault.name === name));
  if (unknown !== undefined) {
    throw new PlainError(`There is no fault "${unknown}"; there are: ${all.map(({ name }) => name).join(", ")}`);
  }
  const faults = all.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const endAt = Date.now() + options.minutes * 60_000;
  const running: Promise<void>[] = [];

  const strike = async () => {
    let order: typeof faults = [];
    for (;;) {
      await pause(options.faultEvery * 1_000 * random.between(0.6, 1.4));
      if (Date.now() > endAt) return;
      if (order.length === 0) order = random.shuffled(faults);
      const fault = order.pop() as (typeof faults)[number];
      struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
      say(fault.name);
      running.push(Promise.resolve(fault.strike()));
    }
  };
  const chatting = chat(pairs, { rate: options.rate, random, isOver: () => Date.now() > endAt });
  await Promise.all([strike(), chatting]);
  await Promise.all(running);
  await settle(stack.url, pairs);
  return { pairs, faults: struck };
}

/** Lets the pairs chat at a steady rate until it is over. */
export async function chat(
  pairs: readonly Pair[],
  { rate, random, isOver }: { rate: number; random: Random; isOver: () => boolean },
): Promise<void> {
  for (let next = Date.now(); !isOver(); next += 1_000 / rate) {
    const late = next - Date.now();
    if (late > 0) await pause(late);
    const pair = random.pick(pairs);
    const tab = random.pick(pair.tabs);
    pair.sent += 1;
    tab.outbox.send(`${tab.account.id}|${pair.sent}|${Date.now()}`);
    if (random.next() < 0.2) void random.pick(pair.tabs).markRead();
  }
}

/** Registers pairs of friends and opens their tabs. */
export async function makePairs(
  url: string,
  { pairs: count, keepsUnsent, catchesUp }: TabOptions & { pairs: number },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index += 1) {
    const [ann, bob] = await Promise.all([Account.register(url, "Ann"), Account.register(url, "Bob")]);
    const thread_id = await ann.befriend(bob);
    const options = { keepsUnsent, catchesUp };
    pairs.push({
      thread_id,
      tabs: [new Tab(ann, bob.id, thread_id, options), new Tab(bob, ann.id, thread_id, options)],
      observers: [new Observer(ann, bob.id), new Observer(bob, ann.id)],
      sent: 0,
    });
  }
  return pairs;
}

/** Until the parts run again, every outbox is empty and the server's slow repairs have had their time. */
export async function settle(url: string, pairs: readonly Pair[]): Promise<void> {
  say("waiting until everything has arrived");
  const giveUpAt = Date.now() + SETTLE_MAX_MS;
  const isQuiet = async () =>
    (await answers(`${url}/healthz`)) &&
    pairs.every(({ tabs }) => tabs.every(({ outbox, socket }) => outbox.length === 0 && socket.connected));
  while (!(await isQuiet()) && Date.now() < giveUpAt) await pause(500);
  await pause(20_000);
}
