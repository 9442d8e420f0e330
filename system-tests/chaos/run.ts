import { logProgress, PlainError } from "@messageoh/cli/progress";
import { respondsOk } from "@messageoh/stack/services";
import type { Stack } from "@messageoh/stack/stack";
import { Account, pause } from "../client/account.ts";
import { createFaults } from "./faults.ts";
import { Observer } from "./observer.ts";
import { createRandom, type Random } from "./random.ts";
import { Tab, type TabOptions } from "./tab.ts";

export interface RunOptions extends TabOptions {
  minutes: number;
  pairs: number;
  /** Messages per second of all pairs. */
  rate: number;
  /** Average seconds between two faults. */
  faultEvery: number;
  seed: number;
  /** Names of the faults to inject; all if empty. */
  only: readonly string[];
}

/** Two friends with two tabs each: one sends, reads and catches up, the other only listens. */
export interface Pair {
  thread_id: string;
  tabs: Tab[];
  observers: Observer[];
  sent: number;
}

const SETTLE_MAX_MS = 90_000;

/** Injects faults while pairs chat at a steady rate, then waits until all messages have arrived. */
export async function runChaos(
  stack: Stack,
  options: RunOptions,
): Promise<{ pairs: Pair[]; faults: Map<string, number> }> {
  const random = createRandom(options.seed);
  const pairs = await makePairs(stack.url, options);
  const clients = pairs.flatMap((pair) => [...pair.tabs, ...pair.observers]);
  while (clients.some(({ socket }) => !socket.connected)) await pause(100);
  logProgress(`${pairs.length} pairs with ${clients.length} tabs are connected`);

  const injected = new Map<string, number>();
  const all = createFaults(stack, clients, random);
  const unknown = options.only.find((name) => !all.some((fault) => fault.name === name));
  if (unknown !== undefined) {
    throw new PlainError(`Unknown fault "${unknown}"; choose from: ${all.map(({ name }) => name).join(", ")}`);
  }
  const faults = all.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const endAt = Date.now() + options.minutes * 60_000;
  const running: Promise<void>[] = [];

  const injectFaults = async () => {
    let order: typeof faults = [];
    for (;;) {
      await pause(options.faultEvery * 1_000 * random.between(0.6, 1.4));
      if (Date.now() > endAt) return;
      if (order.length === 0) order = random.shuffled(faults);
      const fault = order.pop() as (typeof faults)[number];
      injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1);
      logProgress(fault.name);
      running.push(Promise.resolve(fault.inject()));
    }
  };
  const chatting = chat(pairs, { rate: options.rate, random, isOver: () => Date.now() > endAt });
  await Promise.all([injectFaults(), chatting]);
  await Promise.all(running);
  await settle(stack.url, pairs);
  return { pairs, faults: injected };
}

/** Sends messages of random pairs at a steady rate until `isOver`. */
export async function chat(
  pairs: readonly Pair[],
  { rate, random, isOver }: { rate: number; random: Random; isOver: () => boolean },
): Promise<void> {
  for (let next = Date.now(); !isOver(); next += 1_000 / rate) {
    const wait = next - Date.now();
    if (wait > 0) await pause(wait);
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
  { pairs: count, retriesUnsent, catchesUp }: TabOptions & { pairs: number },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index += 1) {
    const { ann, bob, thread_id } = await Account.registerFriends(url);
    const options = { retriesUnsent, catchesUp };
    pairs.push({
      thread_id,
      tabs: [new Tab(ann, bob.id, thread_id, options), new Tab(bob, ann.id, thread_id, options)],
      observers: [new Observer(ann, bob.id), new Observer(bob, ann.id)],
      sent: 0,
    });
  }
  return pairs;
}

/** Waits until the stack is healthy, every outbox is empty and the server's periodic backfill has run. */
export async function settle(url: string, pairs: readonly Pair[]): Promise<void> {
  logProgress("waiting until all messages have arrived");
  const deadline = Date.now() + SETTLE_MAX_MS;
  const isQuiet = async () =>
    (await respondsOk(`${url}/healthz`)) &&
    pairs.every(({ tabs }) => tabs.every(({ outbox, socket }) => outbox.length === 0 && socket.connected));
  while (!(await isQuiet()) && Date.now() < deadline) await pause(500);
  await pause(20_000);
}
