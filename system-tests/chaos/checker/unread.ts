import { listThreads, updateMessageRead } from "@messageoh/contracts/messages";
import { withRetries } from "../../client/account.ts";
import { observedCall } from "../clients/observedCall.ts";
import type { Person } from "../clients/person.ts";
import type { World } from "../clients/world.ts";
import type { Random } from "../random.ts";
import type { Sent } from "./ledger.ts";
import type { Stored } from "./stored.ts";
import { waitUntil } from "./waitUntil.ts";

const NEW_MESSAGES_MAX = 3;

/** Number of unread messages that a count may be, from and to. */
type Expected = (person: Person, friendId: string, threadId: string) => readonly [number, number];

/** Compares unread counts after the faults with what each user had open during them. */
export async function checkUnreadAfterFaults(world: World, stored: Stored, boundMs: number): Promise<void> {
  const expected: Expected = (person, friendId, threadId) => {
    const { least, most } = world.ledger.readRange(person.id, threadId);
    const received = (stored.get(threadId) ?? []).filter(({ sending_user_id }) => sending_user_id === friendId);
    const above = (read: number) => received.filter(({ seq }) => seq > read).length;
    return [above(most), above(least)];
  };
  await checkCounts(world, expected, boundMs);
}

/** Closes all threads, sends a known number of messages in each, and compares the unread counts. */
export async function checkUnreadOfNewMessages(
  world: World,
  { random, boundMs }: { random: Random; boundMs: number },
): Promise<void> {
  const { ledger } = world;
  const sent: Sent[] = [];
  const counts = new Map<string, number>();
  for (const { tabs } of world.people) for (const tab of tabs) tab.open(undefined);
  for (const person of world.people) {
    for (const friendId of person.friends.keys()) {
      const count = Math.floor(random.between(0, NEW_MESSAGES_MAX + 1));
      // A tab that is signed out by mistake sends nothing.
      const messages = Array.from({ length: count }, () => person.tabs[0]?.send(friendId)).filter(
        (one) => one !== undefined,
      );
      counts.set(`${person.id} ${friendId}`, messages.length);
      sent.push(...messages);
    }
  }
  await waitUntil(() => sent.every(({ arrivedAt }) => arrivedAt !== undefined), boundMs);
  await checkCounts(
    world,
    (person, friendId) => {
      const count = counts.get(`${friendId} ${person.id}`) ?? 0;
      return [count, count];
    },
    boundMs,
  );
  // A client of the specification marks a whole thread as read; the tabs of the user follow.
  for (const person of world.people) {
    const [friend] = person.friends;
    // A phone that could not sign in again has violated another check.
    if (!friend || person.phone.session.endingAt !== undefined) continue;
    const [friendId, threadId] = friend;
    const call = observedCall(world.url, ledger, () => person.phone.session);
    ledger.mayHaveRead(person.id, threadId, ledger.lastSeqOf(threadId));
    await withRetries(() => call(updateMessageRead, { body: { thread_id: threadId } }));
    for (const tab of person.tabs) {
      const isRead = await waitUntil(() => tab.threadWith(friendId)?.unreadCount === 0, boundMs);
      ledger.checks.verify("an opened thread is read", isRead, () => `${tab.name} of ${person.id} in ${threadId}`);
    }
  }
}

async function checkCounts({ people, ledger }: World, expected: Expected, boundMs: number): Promise<void> {
  for (const person of people) {
    const states = await withRetries(() => person.call(listThreads, { params: { user_id: person.id } }));
    for (const [friendId, threadId] of person.friends) {
      const isRight = (count: number | undefined) => {
        const [least, most] = expected(person, friendId, threadId);
        return count !== undefined && count >= least && count <= most;
      };
      const about = (where: string, count: number | undefined) => () =>
        `${where} of ${person.id}: ${count} in ${threadId}, expected ${expected(person, friendId, threadId).join(" to ")}`;
      for (const tab of person.tabs) {
        const count = () => tab.threadWith(friendId)?.unreadCount;
        await waitUntil(() => isRight(count()), boundMs);
        ledger.checks.verify("unread counts equal the model", isRight(count()), about(tab.name, count()));
      }
      const atServer = states.find(({ thread_id }) => thread_id === threadId)?.unread_count;
      ledger.checks.verify("unread counts equal the model", isRight(atServer), about("the server's list", atServer));
    }
  }
}
