import { ApiError } from "@messageoh/contracts/client";
import { pause } from "../../client/account.ts";
import type { Random } from "../random.ts";
import { newPassword } from "./accounts.ts";
import type { Person } from "./person.ts";
import type { ProductTab } from "./productTab.ts";
import type { World } from "./world.ts";

const RETRY_MS = 500;
const AWAY_MS = 2_000;
const SIGN_OUT_MS = 5_000;
/** Users who join during a run, for each user at its start. */
const NEWCOMERS = 0.5;

type Action = (world: World, person: Person, random: Random) => Promise<void>;

export interface ActionsOptions {
  perSecond: number;
  random: Random;
  isOver: () => boolean;
  patienceMs: () => number;
}

/** What users do besides chatting. */
const ACTIONS: Record<string, Action> = {
  "register and add two friends": registerNewcomer,
  "add a friend": (world, person, random) => addSomebody(world, person, random),
  "log out and in": logOutAndIn,
  "change the password": changePassword,
  "reload a tab": reloadTab,
  "close both tabs for a while": closeForAWhile,
};

/**
 * Runs random actions of random users until `isOver`. Returns how often each completed. The last ones must complete within
 * `patienceMs` then.
 */
export async function runActions(
  world: World,
  { perSecond, random, isOver, patienceMs }: ActionsOptions,
): Promise<Map<string, number>> {
  const completed = new Map(Object.keys(ACTIONS).map((name) => [name, 0]));
  const initial = world.people.length;
  const running = new Map<Promise<void>, string>();
  let order: string[] = [];
  while (!isOver()) {
    await pause((1_000 / perSecond) * random.between(0.5, 1.5));
    const idle = world.people.filter(({ isBusy }) => !isBusy);
    // Somebody must stay to witness the faults.
    if (idle.length < world.people.length / 2) continue;
    if (order.length === 0) order = random.shuffled(Object.keys(ACTIONS));
    const name = order.pop() as string;
    if (name === "register and add two friends" && world.people.length >= initial * (1 + NEWCOMERS)) continue;
    const action = ACTIONS[name] as Action;
    const person = random.pick(idle);
    const done = act(person, () => action(world, person, random)).then(() => {
      running.delete(done);
      completed.set(name, (completed.get(name) ?? 0) + 1);
      world.ledger.checks.verify("each action completes", true, String);
    });
    running.set(done, `${name} of ${person.id}`);
  }
  const boundMs = patienceMs();
  await Promise.race([Promise.all(running.keys()), pause(boundMs)]);
  for (const about of running.values()) {
    world.ledger.checks.verify("each action completes", false, () => `${about} lasts for more than ${boundMs} ms`);
  }
  return completed;
}

async function act(person: Person, work: () => Promise<void>): Promise<void> {
  const time = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  person.busy.push(time);
  await work();
  time.to = Date.now();
}

async function registerNewcomer(world: World, person: Person, random: Random): Promise<void> {
  const newcomer = await world.register("New");
  await act(newcomer, async () => {
    await until(() => newcomer.isReady);
    await addFriend(world, newcomer, person);
    await addSomebody(world, newcomer, random);
  });
}

async function addSomebody(world: World, person: Person, random: Random): Promise<void> {
  const strangers = world.people.filter((other) => other !== person && !world.mayBeFriends(person, other));
  if (strangers.length > 0) await addFriend(world, person, random.pick(strangers));
}

/** Adds a friend in a tab, again until it succeeds. */
async function addFriend(world: World, person: Person, friend: Person): Promise<void> {
  world.begin(person, friend);
  const user = { id: friend.id, name: friend.name, avatar_id: "snake-id" };
  for (;;) {
    const tab = await readyTab(person);
    const threadId = await tab.view.addFriend(user).then(
      () => tab.threadWith(friend.id)?.threadId,
      () => undefined,
    );
    if (threadId !== undefined) return world.confirm(person, friend, threadId);
    await pause(RETRY_MS);
  }
}

/** Logs out in one tab, which ends the session of the other tab too, and signs in again in the same browser. */
async function logOutAndIn(_: World, person: Person): Promise<void> {
  const { session } = person.browser;
  const tab = await readyTab(person);
  session.endingAt = Date.now();
  tab.logOut();
  // The product does not wait for the server when it logs out.
  session.hasEnded = await tab.loggedOut;
  const deadline = Date.now() + SIGN_OUT_MS;
  while (!person.tabs.every(({ isSignedOut }) => isSignedOut) && Date.now() < deadline) await pause(100);
  person.closeTabs();
  person.browser.session = await person.logIn();
  person.openTabs();
  await until(() => person.isReady);
}

/** Changes the password in a tab, which ends the session of the phone. */
async function changePassword(_: World, person: Person): Promise<void> {
  const next = newPassword();
  const { session } = person.phone;
  session.endingAt = Date.now();
  for (let status = 0; status !== 403 && !session.hasEnded; ) {
    const tab = await readyTab(person);
    await tab.view.changePassword(person.password, next).then(
      () => {
        session.hasEnded = true;
      },
      // After a lost response, the old password is wrong (403).
      (error: unknown) => {
        status = error instanceof ApiError ? error.status : 0;
      },
    );
    await pause(RETRY_MS);
  }
  person.oldPasswords.push(person.password);
  person.password = next;
  await person.replacePhone();
}

async function reloadTab(_: World, person: Person): Promise<void> {
  person.tabs.shift()?.close();
  person.openTabs();
  await until(() => person.isReady);
}

async function closeForAWhile(_: World, person: Person): Promise<void> {
  person.closeTabs();
  await pause(AWAY_MS);
  person.openTabs();
  await until(() => person.isReady);
}

async function readyTab(person: Person): Promise<ProductTab> {
  await until(() => person.tabs.some((tab) => tab.isReady));
  return person.tabs.find((tab) => tab.isReady) as ProductTab;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(100);
}
