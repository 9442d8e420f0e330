import { pause } from "../../../client/account.ts";
import type { Random } from "../../random.ts";
import type { World } from "../world.ts";
import { changeName, changePassword, closeForAWhile, deleteAccount, logOutAndIn, reloadTab } from "./accountActions.ts";
import { type Action, act } from "./acting.ts";
import { sendFile } from "./fileActions.ts";
import { addSomebody, endFriendship, registerNewcomer, renewFriendship } from "./friendshipActions.ts";
import {
  deleteMessage,
  editMessage,
  forwardMessage,
  pinMessage,
  reactToMessage,
  starMessage,
  writeDraft,
} from "./messageActions.ts";

/** Users who join during a run, for each user at its start. */
const NEWCOMERS = 0.5;
/** Users who may delete their account, of those at the start. */
const LEAVERS = 0.25;

export interface ActionsOptions {
  perSecond: number;
  /** Actions whose names contain one of these texts are left out. */
  without?: readonly string[];
  random: Random;
  isOver: () => boolean;
  patienceMs: () => number;
}

/** Actions of users besides chatting. */
const ACTIONS: Record<string, Action> = {
  "register and add two friends": registerNewcomer,
  "add a friend": (world, person, random) => addSomebody(world, person, random),
  "unfriend somebody": (world, person, random) => endFriendship(world, person, random, "unfriend"),
  "block somebody": (world, person, random) => endFriendship(world, person, random, "block"),
  "add somebody again": renewFriendship,
  "change the name": changeName,
  "delete the account": deleteAccount,
  "log out and in": logOutAndIn,
  "change the password": changePassword,
  "send a file": sendFile,
  "edit a message": editMessage,
  "delete a message": deleteMessage,
  "react to a message": reactToMessage,
  "pin a message, or unpin it": pinMessage,
  "star a message, or remove the star": starMessage,
  "forward a message": forwardMessage,
  "write a draft": writeDraft,
  "reload a tab": reloadTab,
  "close both tabs for a while": closeForAWhile,
};

/**
 * Runs random actions of random users until `isOver`. Returns how often each completed. The last ones must complete
 * within `patienceMs` then.
 */
export async function runActions(
  world: World,
  { perSecond, without = [], random, isOver, patienceMs }: ActionsOptions,
): Promise<Map<string, number>> {
  const names = Object.keys(ACTIONS).filter((name) => !without.some((text) => name.includes(text)));
  const completed = new Map(names.map((name) => [name, 0]));
  const leastPeople = Math.ceil(world.people.length * (1 - LEAVERS));
  const mostPeople = world.people.length * (1 + NEWCOMERS);
  const running = new Map<Promise<void>, string>();
  let order: string[] = [];
  while (!isOver()) {
    await pause((1_000 / perSecond) * random.between(0.5, 1.5));
    const staying = world.people.filter(({ isGone }) => !isGone);
    const idle = staying.filter(({ isBusy }) => !isBusy);
    // Somebody must stay to witness the faults.
    if (idle.length < staying.length / 2) continue;
    if (order.length === 0) order = random.shuffled(names);
    const name = order.pop() as string;
    if (name === "register and add two friends" && staying.length >= mostPeople) continue;
    if (name === "delete the account" && staying.length <= leastPeople) continue;
    const action = ACTIONS[name] as Action;
    const person = random.pick(idle);
    const done = act(person, () => action(world, person, random)).then((isDone) => {
      running.delete(done);
      if (isDone === false) return;
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
