import { pause } from "../../client/account.ts";
import type { Random } from "../random.ts";
import type { World } from "./world.ts";

const LOOKS = 0.2;
const FROM_PHONE = 0.1;
/** A user with more messages in the outbox stops writing: more than a fault of 20 s holds back. */
const QUEUED_MAX = 60;

/** Sends messages of random users at a steady rate until `isOver`, and opens, closes and hides threads. */
export async function chat(
  world: World,
  { rate, random, isOver }: { rate: number; random: Random; isOver: () => boolean },
): Promise<void> {
  for (let next = Date.now(); !isOver(); next += 1_000 / rate) {
    const wait = next - Date.now();
    if (wait > 0) await pause(wait);
    // After a stall of this process, the missed messages are left out.
    else next = Math.max(next, Date.now() - 1_000);
    const person = random.pick(world.people);
    const friends = [...person.friends];
    if (friends.length === 0 || person.browser.queued > QUEUED_MAX) continue;
    const [friendId, threadId] = random.pick(friends);
    if (random.next() < FROM_PHONE) person.phone.send(friendId, threadId);
    else if (person.tabs.length > 0) random.pick(person.tabs).send(friendId);
    if (random.next() < LOOKS) world.lookAround(random);
  }
}
