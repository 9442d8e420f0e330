import { atRate, type SteadyRate } from "../../client/steadyRate.ts";
import type { Random } from "../random.ts";
import type { World } from "./world.ts";

const LOOKS = 0.2;
const FROM_PHONE = 0.1;
/** A user with more messages in the outbox stops writing: more than a fault of 20 s holds back. */
const QUEUED_MAX = 60;

/** Sends messages of random users at a steady rate until `isOver`, and opens, closes and hides threads. */
export function chat(world: World, steady: SteadyRate & { random: Random }): Promise<void> {
  const { random } = steady;
  return atRate(steady, () => {
    const person = random.pick(world.people);
    const friends = [...person.friends];
    if (friends.length === 0 || person.browser.queued > QUEUED_MAX) return;
    const [friendId, threadId] = random.pick(friends);
    if (random.next() < FROM_PHONE) person.phone.send(friendId, threadId);
    else if (person.tabs.length > 0) random.pick(person.tabs).send(friendId);
    if (random.next() < LOOKS) world.lookAround(random);
  });
}
