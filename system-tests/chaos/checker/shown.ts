import { listThreads } from "@messageoh/contracts/messages";
import { withRetries } from "../../client/account.ts";
import type { Person } from "../clients/person.ts";
import type { ProductTab } from "../clients/productTab.ts";
import type { World } from "../clients/world.ts";
import { checkNewest } from "./changed.ts";
import type { Stored } from "./stored.ts";
import { checkShown } from "./viewObserver.ts";
import { waitUntil } from "./waitUntil.ts";

/** Opens each thread in each tab, scrolls to its begin and compares what the tab shows with the stored messages. */
export async function checkTabs(world: World, stored: Stored, boundMs: number): Promise<void> {
  await Promise.all(world.people.map((person) => checkTabsOf(world, person, stored, boundMs)));
  const { checks } = world.ledger;
  for (const { threadId, people } of world.friendships) {
    for (const [person, friend] of [people, [people[1], people[0]] as const]) {
      for (const tab of person.tabs) {
        const thread = () => tab.threadWith(friend.id);
        const isRead = await waitUntil(() => thread()?.unreadCount === 0, boundMs);
        const about = () => `${tab.name} of ${person.id} shows ${thread()?.unreadCount} unread in ${threadId}`;
        checks.verify("an opened thread is read", isRead, about);
        tab.open(friend.id);
        const tick = () => thread()?.messages.findLast(({ isMine, seq }) => isMine && seq !== null)?.sendState;
        const isTicked = await waitUntil(() => tick() === undefined || tick() === "read", boundMs);
        checks.verify("ticks arrive", isTicked, () => `${tab.name} of ${person.id} shows ${tick()} in ${threadId}`);
      }
    }
  }
}

async function checkTabsOf({ ledger }: World, person: Person, stored: Stored, boundMs: number): Promise<void> {
  const states = await withRetries(() => person.call(listThreads, { params: { user_id: person.id } }));
  const starredIn = new Map(states.map(({ thread_id, starred }) => [thread_id, new Set(starred)]));
  for (const tab of person.tabs) {
    tab.setVisible(true);
    for (const [friendId, threadId] of [...person.friends, ...person.gone]) {
      tab.open(friendId);
      const messages = stored.get(threadId) ?? [];
      await loadAll(tab, friendId, messages.at(-1)?.seq ?? 0, boundMs);
      const shown = tab.threadWith(friendId)?.messages ?? [];
      checkShown(ledger, person.id, tab.name, shown);
      const starred = starredIn.get(threadId) ?? new Set();
      checkNewest(ledger, `${tab.name} of ${person.id}`, messages, shown, starred);
      const ids = new Set(shown.map(({ id }) => id));
      for (const { id, seq } of messages) {
        const about = () =>
          `${tab.name} of ${person.id} lacks number ${seq} of ${threadId} (${stateOf(tab, friendId)})`;
        ledger.checks.verify("a tab shows each message", ids.has(id), about);
      }
    }
  }
}

function stateOf(tab: ProductTab, friendId: string): string {
  const thread = tab.threadWith(friendId);
  if (!thread) return "the friend is not listed";
  if (thread.loadError) return "loading failed";
  return thread.isLoaded ? `shows ${thread.messages.length} messages` : "loading";
}

/**
 * Waits until a thread shows its newest message without a gap, and loads all its pages. Many unread ones come first.
 */
async function loadAll(tab: ProductTab, friendId: string, newestSeq: number, boundMs: number): Promise<void> {
  const thread = () => tab.threadWith(friendId);
  const isNewestShown = () => newestSeq === 0 || thread()?.messages.some(({ seq }) => seq === newestSeq);
  const isLoaded = () => thread()?.isLoaded === true && !thread()?.isGapLoading;
  const deadline = Date.now() + boundMs;
  await waitUntil(() => isLoaded() && (thread()?.hasNewer === true || isNewestShown() === true), boundMs);
  while (thread()?.hasNewer && Date.now() < deadline) await tab.chat.messages.loadNewer(thread()?.threadId ?? "");
  await waitUntil(() => isLoaded() && isNewestShown() === true, boundMs);
  while (thread()?.hasOlder && Date.now() < deadline) await tab.chat.messages.loadOlder(thread()?.threadId ?? "");
}
