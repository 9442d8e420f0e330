import { strict as assert } from "node:assert";
import { logProgress } from "@messageoh/stack/command/progress";
import { Checks } from "../../../../system-tests/chaos/checker/checks.ts";
import { checkEverything, settle } from "../../../../system-tests/chaos/checker/everything.ts";
import { Ledger } from "../../../../system-tests/chaos/checker/ledger.ts";
import { chat } from "../../../../system-tests/chaos/clients/chat.ts";
import { World } from "../../../../system-tests/chaos/clients/world.ts";
import { createRandom } from "../../../../system-tests/chaos/random.ts";
import type { Check } from "../../testing/checks.ts";

/** Users of {@link whileChatting}. */
export const USERS = 10;
const BOUNDS = { scale: 2, afterLastFaultMs: 60_000, unaffectedMs: 4_000 };

/**
 * Runs `work` while users chat; then checks that no message was lost, duplicated or out of order, and nobody signed
 * out.
 * @param rate messages per second of all users
 */
export async function whileChatting(
  url: string,
  check: Check,
  work: (world: World) => Promise<void>,
  rate = 40,
): Promise<void> {
  const random = createRandom(1);
  const checks = new Checks();
  const world = new World(url, new Ledger(checks));
  await world.populate(USERS, 1);
  logProgress(`${USERS} users chat in ${world.clients.length} clients, ${rate} messages a second`);
  let isOver = false;
  const chatting = chat(world, { rate, random, isOver: () => isOver });
  try {
    await work(world);
  } finally {
    isOver = true;
    await chatting;
  }
  await check("no message is lost, duplicated or out of order, and nobody is signed out", async () => {
    await settle(world, BOUNDS);
    await checkEverything(world, BOUNDS, random);
    assert(world.ledger.sent.size > 0, "messages were sent");
    logProgress(`${world.ledger.sent.size} messages were sent`);
    assert.deepEqual(checks.details, []);
  });
  world.close();
}
