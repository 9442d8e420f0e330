import { logProgress } from "@messageoh/stack/command/progress";
import { pause } from "../../client/account.ts";
import { quantile } from "../../client/quantile.ts";
import type { Person } from "../clients/person.ts";
import type { World } from "../clients/world.ts";
import type { Ledger, Sent } from "./ledger.ts";
import type { SlownessProbe } from "./slowness.ts";

/** A quiet, idle machine delivers a message in less than this time. */
const QUIET_MS = 100;
/** The slowest that the product may be without faults. */
const QUIET_MAX_MS = 1_000;
/** An action has an effect for this time after its end. */
const SETTLED_AFTER_MS = 2_000;
const UNAFFECTED_P99_MS = 2_000;
const REPORT_MS = 15_000;
const UNAFFECTED = "unaffected pairs are fast during a fault";
/** A percentile of fewer messages would be that of a single one. */
const WITNESSES_MIN = 10;

/** A fault of one part, while no other fault lasts. */
export interface Window {
  fault: string;
  from: number;
  to: number;
  /** Senders and recipients who do not depend on the part. */
  senders: ReadonlySet<string>;
  recipients: ReadonlySet<string>;
}

/** A fault, from its start until all its effects are over. */
export interface InjectedFault {
  name: string;
  from: number;
  to: number;
}

/** The bounds of the run in milliseconds: those of the product, scaled by the speed of this machine. */
export interface Bounds {
  scale: number;
  afterLastFaultMs: number;
  unaffectedMs: number;
}

/** Returns the bounds for this machine: its quiet latency and its slowness show how much longer everything takes. */
export function boundsOf(quietMs: number, slowness: number, patienceMs: number): Bounds {
  // A product that is slow without faults fails a check, and must not extend its own bounds.
  const scale = Math.max(1, slowness, Math.min(quietMs, QUIET_MAX_MS * slowness) / QUIET_MS);
  return { scale, afterLastFaultMs: patienceMs * scale, unaffectedMs: UNAFFECTED_P99_MS * scale };
}

/** Measures and checks the latency without faults: nine in ten messages arrive within the result in milliseconds. */
export function checkQuiet(ledger: Ledger, probe: SlownessProbe, since: number): number {
  const { checks } = ledger;
  const now = Date.now();
  // A message that is still under way has taken its age at least.
  const delays = expected(ledger).flatMap(({ sentAt, arrivedAt = now }) =>
    sentAt >= since ? [arrivedAt - sentAt] : [],
  );
  const quietMs = quantile(delays, 0.9) || 0;
  const allowed = QUIET_MAX_MS * probe.since(since);
  for (const _ of delays) {
    const about = () => `nine in ten take ${quietMs} ms, allowed are ${Math.round(allowed)}`;
    checks.verify("messages are fast without faults", quietMs <= allowed, about);
  }
  return quietMs;
}

/** Checks that each pair exchanges a message in both directions soon after the last fault. */
export async function checkAfterLastFault(
  world: World,
  { probe, quietMs, patienceMs }: { probe: SlownessProbe; quietMs: number; patienceMs: number },
): Promise<Bounds> {
  const { checks } = world.ledger;
  const begin = Date.now();
  const sent: Sent[] = [];
  let reportAt = begin + REPORT_MS;
  const unsent = new Set(world.directions);
  const bounds = () => boundsOf(quietMs, probe.since(begin), patienceMs);
  const isOver = () => Date.now() - begin > bounds().afterLastFaultMs;
  while (!isOver() && (unsent.size > 0 || sent.some(({ arrivedAt }) => arrivedAt === undefined))) {
    for (const direction of unsent) {
      const message = direction.send();
      if (!message) continue;
      unsent.delete(direction);
      sent.push(message);
    }
    await pause(100);
    if (Date.now() < reportAt) continue;
    reportAt += REPORT_MS;
    const late = sent.filter(({ arrivedAt }) => arrivedAt === undefined);
    const about = [
      ...[...unsent].slice(0, 3).map((direction) => direction.about),
      ...late.slice(0, 3).map(({ text, id, ackedAt }) => `${text.slice(0, 50)} ${id} ${ackedAt}`),
    ];
    logProgress(`waiting for ${unsent.size} unsent and ${late.length} late messages: ${about.join("; ")}`);
  }
  const { afterLastFaultMs } = bounds();
  for (const { from, to, arrivedAt } of sent) {
    const ms = (arrivedAt ?? Number.POSITIVE_INFINITY) - begin;
    const about = () => `${from} to ${to}: ${ms} ms, allowed are ${Math.round(afterLastFaultMs)}`;
    checks.verify("each pair exchanges a message after the last fault", ms <= afterLastFaultMs, about);
  }
  for (const { about } of unsent) {
    checks.verify("each pair exchanges a message after the last fault", false, () => `${about} is not possible`);
  }
  return bounds();
}

/** Checks the latency of pairs without a client at the part that failed. */
export function checkUnaffected(
  world: World,
  windows: readonly Window[],
  probe: SlownessProbe,
  quietMs: number,
): number {
  const { checks, sent } = world.ledger;
  const personOf = new Map(world.people.map((person) => [person.id, person]));
  const crowd = new Set(world.crowd.members.map(({ id }) => id));
  const inWindows = [...sent.values()].filter(
    (message) =>
      message.isGuaranteed &&
      !world.ledger.mayRefuse(message) &&
      windows.some(({ from, to }) => message.sentAt >= from && message.sentAt < to) &&
      [message.from, message.to].every((id) => crowd.has(id) || !isDisturbed(personOf.get(id), message)),
  );
  const delays: { ms: number; allowed: number; about: string }[] = [];
  for (const { fault, from, to, senders, recipients } of windows) {
    const allowed = boundsOf(quietMs, probe.since(from), 0).unaffectedMs;
    for (const message of inWindows) {
      const isInside = message.sentAt >= from && message.sentAt < to;
      if (!isInside || !senders.has(message.from) || !recipients.has(message.to)) continue;
      const ms = (message.arrivedAt ?? Number.POSITIVE_INFINITY) - message.sentAt;
      delays.push({
        ms,
        allowed,
        about: `${fault}: "${message.text.slice(0, 40)}" took ${ms} ms, allowed are ${Math.round(allowed)}`,
      });
    }
  }
  if (delays.length < WITNESSES_MIN) {
    checks.leaveOut(UNAFFECTED, `only ${delays.length} messages of unaffected pairs`);
    return 0;
  }
  // The slowest hundredth may be slower.
  const slow = delays.filter(({ ms, allowed }) => ms > allowed).sort((a, b) => b.ms - a.ms);
  const tolerated = Math.ceil(delays.length / 100);
  const wrong = new Set(slow.slice(tolerated));
  for (const delay of delays) {
    checks.verify(UNAFFECTED, !wrong.has(delay), () => delay.about);
  }
  return quantile(
    delays.map(({ ms }) => ms),
    0.99,
  );
}

/** Returns the longest time until a message arrived, in milliseconds, of messages to users with open tabs. */
export function longestSilence(world: World): number {
  return delaysOf(expected(world.ledger)).reduce((longest, ms) => Math.max(longest, ms), 0);
}

/** Messages of clients that retry, to users who were friends all the time. */
const expected = (ledger: Ledger): Sent[] =>
  [...ledger.sent.values()].filter((sent) => sent.isGuaranteed && !ledger.mayRefuse(sent));

/** Times until messages arrived, in milliseconds. */
export interface Delays {
  p99: number;
  longest: number;
}

/**
 * Returns how long the messages took that were sent while a fault lasted, by the name of the fault. They count for
 * every fault of that time.
 */
export function delaysByFault({ ledger }: World, faults: readonly InjectedFault[]): Map<string, Delays> {
  const sent = expected(ledger).sort((a, b) => a.sentAt - b.sentAt);
  const byName = Map.groupBy(faults, ({ name }) => name);
  return new Map(
    [...byName].map(([name, same]) => {
      const delays = same.flatMap(({ from, to }) => delaysOf(sent.slice(firstSince(sent, from), firstSince(sent, to))));
      const longest = delays.reduce((most, ms) => Math.max(most, ms), 0);
      return [name, { p99: quantile(delays, 0.99) || 0, longest }];
    }),
  );
}

/** Returns the index of the first message that was sent at a time or later. */
function firstSince(sent: readonly Sent[], time: number): number {
  let [low, high] = [0, sent.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sent[middle] as Sent).sentAt < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether an action of a user, such as a log-out, explains a delay. */
function isDisturbed(person: Person | undefined, { sentAt, arrivedAt = Date.now() }: Sent): boolean {
  return !person || person.busy.some(({ from, to }) => from < arrivedAt && to > sentAt - SETTLED_AFTER_MS);
}

const delaysOf = (sent: readonly Sent[]): number[] =>
  sent.flatMap(({ arrivedAt, sentAt }) => (arrivedAt === undefined ? [] : [arrivedAt - sentAt]));
