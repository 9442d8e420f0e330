import { logProgress } from "@messageoh/stack/command/progress";
import { until } from "@messageoh/stack/ports";
import type { Person } from "../clients/person.ts";
import type { World } from "../clients/world.ts";
import type { Random } from "../random.ts";
import { checkSessions } from "./accounts.ts";
import { checkDrafts } from "./drafts.ts";
import { checkFiles } from "./files.ts";
import { checkEndings, checkFriendships } from "./friendships.ts";
import { describeSent, type Sent } from "./ledger.ts";
import { checkTabs } from "./shown.ts";
import type { Bounds } from "./speed.ts";
import { checkStored } from "./stored.ts";
import { checkUnreadAfterFaults, checkUnreadOfNewMessages } from "./unread.ts";

/** Waits until everything that was sent has arrived at each client. */
export async function settle(world: World, { afterLastFaultMs }: Bounds): Promise<void> {
  const { people, crowd, ledger } = world;
  const pending = () =>
    [...ledger.pending].filter((sent) => !ledger.hasEnded(sent.threadId) && !ledger.isGivenUp(sent));
  const missing = () => [
    ...people.filter((person) => !person.isReady).map(({ id }) => `a client of ${id} is not connected`),
    ...people.filter(({ browser }) => browser.unsent > 0).map(({ id }) => `${id} has unsent messages`),
    ...people.filter(hasPendingChanges).map(({ id }) => `${id} has changes that are not confirmed`),
    ...crowd.members.filter(({ unsent }) => unsent > 0).map(({ id }) => `${id} has unsent messages`),
    ...clientsOf(world)
      .filter((client) => !client.hasAll())
      .map(({ name }) => `${name} lacks messages`),
    ...pending().map((sent) => `${sent.to} does not know of ${describeSent(sent)}`),
  ];
  // Not a check, so that it does not shorten later waits if it fails. The other conditions take longer to evaluate.
  if (await until(() => pending().length === 0 && missing().length === 0, afterLastFaultMs)) return;
  logProgress(`not settled:\n${missing().slice(0, 10).join("\n")}`);
}

/**
 * Compares the messages of all clients with the sent ones.
 * @param without names of actions that this run leaves out
 */
export async function checkEverything(
  world: World,
  bounds: Bounds,
  random: Random,
  without: readonly string[] = [],
): Promise<void> {
  const { checks } = world.ledger;
  const { scale, afterLastFaultMs } = bounds;
  for (const client of clientsOf(world)) {
    const { due, missing } = client.missing(scale);
    for (let n = 0; n < due; n += 1) {
      const about = () => `${client.name} of ${client.session.userId} lacks ${missing[n]}`;
      checks.verify("a connected client receives each message", n >= missing.length, about);
    }
  }
  logProgress("comparing friendships");
  await checkFriendships(world, afterLastFaultMs);
  if (!without.includes("unfriend")) await checkEndings(world, afterLastFaultMs);
  else for (const name of CHECKS_OF_ENDINGS) checks.leaveOut(name, "no friendship ends in this run");
  await settle(world, bounds);
  logProgress("comparing messages");
  const stored = await checkStored(world);
  const isDeleted = ({ deletion, threadId }: Sent) => deletion === "confirmed" && stored.has(threadId);
  if (![...world.ledger.sent.values()].some(isDeleted))
    checks.leaveOut("a deleted message stays deleted", "no thread that can be read has a deleted message");
  await checkUnreadAfterFaults(world, stored, afterLastFaultMs);
  await checkFiles(world, afterLastFaultMs);
  logProgress("comparing tabs");
  await checkTabs(world, stored, afterLastFaultMs);
  if (without.includes(SAVE_DRAFT)) checks.leaveOut("a draft is saved", "the version before this one has no drafts");
  else await checkDrafts(world, afterLastFaultMs);
  logProgress("comparing unread counts and sessions");
  await checkUnreadOfNewMessages(world, { random, boundMs: afterLastFaultMs });
  await checkSessions(world, afterLastFaultMs);
}

/** Name of what a person does last, to leave it out. */
export const SAVE_DRAFT = "save a draft";
const CHECKS_OF_ENDINGS = ["nothing is delivered after its refusal", "an ended friendship refuses messages"] as const;

const hasPendingChanges = ({ tabs }: Person) => tabs.some(({ pendingChanges }) => pendingChanges > 0);

const clientsOf = ({ people, crowd }: World) => [
  ...people.map(({ phone }) => phone),
  ...crowd.members.map(({ client }) => client),
];
