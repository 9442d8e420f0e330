import { pause } from "../../client/account.ts";
import type { PageUser } from "../clients/pages/pageUser.ts";
import type { World } from "../clients/world.ts";
import type { Checks } from "./checks.ts";
import type { Stored } from "./stored.ts";
import { waitUntil } from "./waitUntil.ts";

const CHECKS_OF_PAGES = [
  "a page shows messages once, in order",
  "a page shows each message",
  "a page shows read ticks",
] as const;
const SCROLL_MS = 150;

/** Compares what real browsers show with the stored messages, from the newest to the oldest. */
export async function checkPages({ ledger, pages }: World, stored: Stored, boundMs: number): Promise<void> {
  const { checks } = ledger;
  if (pages.users.length === 0) for (const name of CHECKS_OF_PAGES) checks.leaveOut(name, "no pages in this run");
  for (const user of pages.users) {
    const about = () => `${user.name} of ${user.id} shows ${user.newestState}`;
    await showNewestOwn(user, boundMs);
    const isRead = await waitUntil(() => user.newestState === "Read", boundMs);
    checks.verify("a page shows read ticks", isRead, about);
  }
  await Promise.all(pages.users.map((user) => checkAll(user, checks, stored, boundMs)));
  for (const user of pages.users) {
    checks.verify("no sign-out of a valid session", user.isSignedIn, () => `the page of ${user.id}`);
  }
}

/** Scrolls to the newest message of the user, which may be above many of the friend. */
async function showNewestOwn(user: PageUser, boundMs: number): Promise<void> {
  const deadline = Date.now() + boundMs;
  await user.scroll("newest");
  await pause(SCROLL_MS);
  while (user.newestState === undefined && Date.now() < deadline) {
    await user.scroll("older");
    await pause(SCROLL_MS);
  }
}

async function checkAll(user: PageUser, checks: Checks, stored: Stored, boundMs: number): Promise<void> {
  const messages = stored.get(user.threadId) ?? [];
  const missing = new Set(messages.map(({ text }) => text));
  const deadline = Date.now() + boundMs;
  await user.scroll("newest");
  while (missing.size > 0 && Date.now() < deadline) {
    await pause(SCROLL_MS);
    for (const text of user.texts) missing.delete(text);
    await user.scroll("older");
  }
  for (const { text, seq } of messages) {
    const about = () => `${user.name} of ${user.id} lacks number ${seq} "${text.slice(0, 60)}"`;
    checks.verify("a page shows each message", !missing.has(text), about);
  }
}
