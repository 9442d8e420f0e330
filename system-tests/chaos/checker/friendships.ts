import { isDeleted } from "@messageoh/contracts/avatars";
import type { SendAck } from "@messageoh/contracts/realtime";
import { addFriend, listFriends, unblock, unfriend } from "@messageoh/contracts/users";
import { until } from "@messageoh/stack/ports";
import { withRetries } from "../../client/account.ts";
import type { Person } from "../clients/person.ts";
import type { Pair, World } from "../clients/world.ts";
import { waitUntil } from "./waitUntil.ts";

const FRIENDSHIP = "both sides have a friendship";
const ACK_MS = 5_000;
const ASK_AGAIN_MS = 1_000;

type Listed = { id: string; name: string; avatar_id: string };

/**
 * Checks the friends of each user: at the server and in each tab, on both sides, and no others, with their current
 * names. A friend who has deleted the account stays in the list.
 */
export async function checkFriendships(world: World, boundMs: number): Promise<void> {
  const { checks } = world.ledger;
  const personOf = new Map([...world.people, ...world.departed].map((person) => [person.id, person]));
  const isNamed = ({ id, name, avatar_id }: Listed) =>
    personOf.get(id)?.isGone ? isDeleted({ avatar_id }) : name === personOf.get(id)?.name;
  const checkNames = (where: string, listed: readonly Listed[]) => {
    for (const friend of listed) {
      const person = personOf.get(friend.id);
      const about = () => `${where} shows ${friend.id} as "${friend.name}", not as "${person?.name}"`;
      checks.verify(
        person?.isGone ? "a deleted account is gone" : "friends see the current name",
        isNamed(friend),
        about,
      );
    }
  };
  for (const person of world.people) {
    const threadOf = new Map([...person.friends, ...person.gone]);
    const expected = [...threadOf.keys()].sort().join();
    const listed = await withRetries(() => person.call(listFriends, { params: { user_id: person.id } }));
    const idsOf = (friends: readonly Listed[]) =>
      friends
        .map(({ id }) => id)
        .sort()
        .join();
    const atServer = idsOf(listed);
    checks.verify(FRIENDSHIP, atServer === expected, () => `${person.id} at the server: ${atServer}, not ${expected}`);
    checkNames("the server", listed);
    for (const tab of person.tabs) {
      const shown = () => tab.view.friends.map(({ friend }) => friend);
      const hasThreads = () =>
        tab.view.friends.every(({ friend, thread }) => thread.threadId === threadOf.get(friend.id));
      const isRight = () => idsOf(shown()) === expected && hasThreads();
      await waitUntil(() => isRight() && shown().every(isNamed), boundMs);
      checks.verify(FRIENDSHIP, isRight(), () => `${tab.name} of ${person.id}: ${idsOf(shown())}, not ${expected}`);
      checkNames(tab.name, shown());
    }
  }
}

/**
 * Ends a friendship, checks that people whose friendship has ended neither list nor write to each other, and makes them
 * friends again, which brings their messages back.
 */
export async function checkEndings(world: World, boundMs: number): Promise<void> {
  await endOne(world);
  const ended = world.pairs.filter(({ state, people }) => state === "ended" && people.every(({ isGone }) => !isGone));
  await waitUntil(() => ended.every(isUnlisted), boundMs);
  for (const pair of ended) {
    const about = () => `a tab still lists the friend of ${pair.threadId}`;
    world.ledger.checks.verify(FRIENDSHIP, isUnlisted(pair), about);
  }
  await Promise.all(ended.map((pair) => checkRefusal(world, pair, boundMs)));
  for (const pair of ended) await renew(world, pair);
  await waitUntil(() => world.people.every((person) => world.listsFriends(person)), boundMs);
  for (const person of world.people) {
    const about = () => `a tab of ${person.id} does not list ${[...person.friends.keys()]} after the renewal`;
    world.ledger.checks.verify(FRIENDSHIP, world.listsFriends(person), about);
  }
}

/** Returns whether no tab of two people lists the other. */
const isUnlisted = ({ people: [one, other] }: Pair): boolean =>
  one.tabs.every((tab) => !tab.threadWith(other.id)) && other.tabs.every((tab) => !tab.threadWith(one.id));

/** Ends a friendship, unless all have ended. */
async function endOne(world: World): Promise<void> {
  const [pair] = world.friendships;
  if (!pair) return;
  const [person, friend] = pair.people;
  world.ledger.beginEnding(pair.threadId);
  await withRetries(() => person.call(unfriend, { params: { user_id: person.id, other_id: friend.id } }));
  world.end(pair);
}

/** Checks that both permanently refuse each other's messages. A service may need seconds to learn of the end. */
async function checkRefusal({ ledger }: World, { threadId, people }: Pair, boundMs: number): Promise<void> {
  for (const [sender, recipient] of [people, [people[1], people[0]] as const]) {
    const { phone } = sender;
    const isRefused = () => ask(sender, recipient, threadId).then(isFinal, () => false);
    const about = () => `${phone.name} of ${sender.id} in ${threadId}`;
    const isRefusedInTime = await until(isRefused, boundMs, ASK_AGAIN_MS);
    ledger.checks.verify("an ended friendship refuses messages", isRefusedInTime, about);
  }

  async function ask(sender: Person, recipient: Person, thread_id: string): Promise<SendAck> {
    const { name, socket } = sender.phone;
    const route = { from: sender.id, to: recipient.id, threadId: thread_id };
    const { text, from, to } = ledger.compose({ ...route, client: name, isGuaranteed: false });
    const message = { thread_id, sending_user_id: from, recipient_user_id: to, text };
    return socket.timeout(ACK_MS).emitWithAck("send_message", message);
  }
}

const isFinal = (ack: SendAck): boolean => "error" in ack && !ack.is_retryable;

async function renew(world: World, pair: Pair): Promise<void> {
  const [one, other] = pair.people;
  const person = pair.blockedBy ?? one;
  const friend = person === one ? other : one;
  const unblockOther = (user: Person, other: Person) =>
    withRetries(() => user.call(unblock, { params: { user_id: user.id, other_id: other.id } }));
  // Both may have blocked each other at the same time.
  if (pair.blockedBy) await Promise.all([unblockOther(person, friend), unblockOther(friend, person)]);
  const body = { user_id: person.id, friend_id: friend.id };
  const { thread_id } = await withRetries(() => person.call(addFriend, { body }));
  world.confirm(person, friend, thread_id);
}
