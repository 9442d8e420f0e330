import type { Random } from "../../random.ts";
import type { Person } from "../person.ts";
import type { Pair, World } from "../world.ts";
import { act, involving, until, untilAccepted } from "./acting.ts";

export async function registerNewcomer(world: World, person: Person, random: Random): Promise<void> {
  const newcomer = await world.register("New");
  await act(newcomer, async () => {
    await until(() => newcomer.isReady);
    await addFriend(world, newcomer, person);
    await addSomebody(world, newcomer, random);
  });
}

export async function addSomebody(world: World, person: Person, random: Random): Promise<boolean> {
  const strangers = world.people.filter(
    (other) => other !== person && !other.isGone && !other.isChangingName && !world.mayBeFriends(person, other),
  );
  if (strangers.length === 0) return false;
  await addFriend(world, person, random.pick(strangers));
  return true;
}

/** Adds a friend in a tab, again until it succeeds. */
async function addFriend(world: World, person: Person, friend: Person): Promise<void> {
  world.begin(person, friend);
  await involving(friend, async () => {
    let threadId: string | undefined;
    await untilAccepted(person, async (tab) => {
      await tab.chat.friends.add({ id: friend.id, name: friend.name, avatar_id: "snake-id" });
      threadId = tab.threadWith(friend.id)?.threadId;
      return threadId !== undefined;
    });
    world.confirm(person, friend, threadId as string);
  });
}

/** Ends the friendship with somebody who stays; both may be writing at this moment. */
export async function endFriendship(world: World, person: Person, random: Random, how: "unfriend" | "block") {
  const pairs = world.friendships.filter(({ people }) => people.includes(person) && people.every(mayPart));
  if (pairs.length === 0) return false;
  const pair = random.pick(pairs);
  const friend = otherOf(pair, person);
  await involving(friend, async () => {
    world.ledger.beginEnding(pair.threadId);
    // One of the last messages may be refused.
    person.tabs[0]?.send(friend.id);
    friend.tabs[0]?.send(person.id);
    await untilAccepted(person, (tab) => tab.chat.friends.end(friend.id, how));
    world.end(pair, how === "block" ? person : undefined);
  });
  return true;
}

/** Only those with several friends end a friendship, so that each still has somebody to write to. */
const mayPart = ({ friends, isGone }: Person): boolean => friends.size > 1 && !isGone;

/** Unblocks and adds somebody again. */
export async function renewFriendship(world: World, person: Person, random: Random) {
  const pairs = world.pairs.filter(
    ({ state, people, blockedBy = person }) => state === "ended" && people.includes(person) && blockedBy === person,
  );
  if (pairs.length === 0) return false;
  const pair = random.pick(pairs);
  const friend = otherOf(pair, person);
  if (friend.isGone || friend.isBusy || friend.involvedIn > 0) return false;
  if (pair.blockedBy) await involving(friend, () => untilAccepted(person, (tab) => tab.chat.api.unblock(friend.id)));
  await addFriend(world, person, friend);
  return true;
}

const otherOf = ({ people }: Pair, person: Person): Person => people.find((other) => other !== person) as Person;
