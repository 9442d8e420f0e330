import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { bothChat, choose } from "../../support/messageMenu.ts";
import type { Person } from "../../support/person.ts";
import { expect, type Pair, test } from "../../support/test.ts";

const pinned = (person: Person, name: RegExp | string) => person.page.getByRole("button", { name });
const NONE = /^Pinned message/;

/** Pins messages of a thread by their numbers, as another client does. */
async function pin({ ann, threadId }: Pair, ...seqs: number[]): Promise<void> {
  for (const seq of seqs) await ann.call("PUT", `/messages/${ann.id}/${threadId}/${seq}/pin`, { pinned: true });
}

test("a pin shows at both friends, who step through the pinned messages by keyboard and can unpin them", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  await pair.ann.say(pair.bob, "The door code is 4711", ...Array.from({ length: 60 }, (_, at) => `line ${at}`));
  await pair.ann.say(pair.bob, "Lunch is at one");
  const { ann, bob } = await bothChat(pair, enter);
  await choose(ann, "Lunch is at one", "Pin");
  await expect(pinned(ann, "Pinned message: Lunch is at one")).toBeVisible();
  await expect(pinned(bob, "Pinned message: Lunch is at one")).toBeVisible();
  await expect(ann.log.getByRole("article", { name: "You, pinned" })).toBeVisible();
  await pin(pair, 1);
  const bar = pinned(bob, NONE);
  await expect(bar).toHaveAccessibleName("Pinned message 1 of 2: Lunch is at one");
  await hasNoViolation(bob.page, "pinned messages");
  await bob.page.bringToFront();
  await bar.focus();
  await bob.page.keyboard.press("Enter");
  await expect(bob.message("Lunch is at one")).toHaveAttribute("data-highlighted", "true");
  await expect(bar).toHaveAccessibleName("Pinned message 2 of 2: The door code is 4711");
  await bob.page.keyboard.press("Enter");
  await expect(bob.message("The door code is 4711")).toHaveAttribute("data-highlighted", "true");
  await expect(bob.message("The door code is 4711")).toBeInViewport();
  await expect(bar).toHaveAccessibleName("Pinned message 1 of 2: Lunch is at one");
  await expect(bar).toBeFocused();
  for (const left of [1, 0]) {
    await bob.page.getByRole("button", { name: "Menu of the pinned message" }).press("Enter");
    await expect(bob.page.getByRole("menuitem", { name: "Unpin" })).toBeFocused();
    await bob.page.keyboard.press("Enter");
    await expect(pinned(ann, NONE)).toHaveCount(left);
  }
  await expect(bob.composer).toBeFocused();
});

test("a fourth pin is refused with a sentence, and a pin works without a network", async ({ newPair, enter }) => {
  const pair = await newPair();
  await pair.ann.say(pair.bob, "one", "two", "three", "four");
  await pin(pair, 1, 2, 3);
  const ann = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
  await expect(pinned(ann, "Pinned message 1 of 3: three")).toBeVisible();
  await choose(ann, "four", "Pin");
  await expect(
    ann.page.getByText("A chat has at most 3 pinned messages. Please unpin another one first"),
  ).toBeVisible();
  await expect(pinned(ann, "Pinned message 1 of 3: three")).toBeVisible();
  await choose(ann, "three", "Unpin");
  await expect(pinned(ann, "Pinned message 1 of 2: two")).toBeVisible();
  await ann.page.context().setOffline(true);
  await choose(ann, "four", "Pin");
  await expect(pinned(ann, "Pinned message 1 of 3: four")).toBeVisible();
  await ann.page.context().setOffline(false);
  const other = await enter(pair.bob, { path: `/home/${pair.ann.id}` });
  await expect(pinned(other, "Pinned message 1 of 3: four")).toBeVisible();
});

test("a star is private, shows on every own device, and leads back to its message from the list", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  await pair.bob.say(pair.ann, "Grandma's recipe", "Good night");
  const { ann, bob } = await bothChat(pair, enter);
  const phone = await enter(pair.ann, { path: `/home/${pair.bob.id}`, viewport: { width: 390, height: 844 } });
  await phone.sees("Grandma's recipe");
  await choose(ann, "Grandma's recipe", "Star");
  const starred = (person: Person) => person.log.getByRole("article", { name: /, starred$/ });
  await expect(starred(ann)).toContainText("Grandma's recipe");
  await expect(starred(phone)).toContainText("Grandma's recipe");
  await expect(starred(bob)).toHaveCount(0);
  await phone.page.bringToFront();
  await phone.page.getByRole("button", { name: "Back" }).click();
  await phone.openAccountMenu();
  await phone.page.getByRole("menuitem", { name: "Starred messages" }).click();
  const dialog = phone.page.getByRole("dialog", { name: "Starred messages" });
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await hasNoViolation(phone.page, "starred messages");
  await dialog
    .getByRole("button", { name: /Grandma's recipe$/ })
    .first()
    .click();
  await expect(dialog).toHaveCount(0);
  await expect(phone.message("Grandma's recipe")).toHaveAttribute("data-highlighted", "true");
  await phone.page.goBack();
  await expect(phone.entry(pair.bob)).toBeVisible();
  await ann.page.bringToFront();
  await ann.openAccountMenu();
  await ann.page.getByRole("menuitem", { name: "Starred messages" }).press("Enter");
  await ann.page.getByRole("button", { name: "Unstar: Grandma's recipe" }).press("Enter");
  await expect(ann.page.getByText("Star a message in its menu to find it here.")).toBeVisible();
  await ann.page.keyboard.press("Escape");
  await expect(starred(ann)).toHaveCount(0);
});

test("a date is chosen by keyboard: the thread goes to its first message, and says so if there is none", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  await pair.bob.say(pair.ann, "the first one", ...Array.from({ length: 60 }, (_, at) => `line ${at}`));
  await pair.ann.call("PUT", "/update_message_read", { thread_id: pair.threadId });
  const ann = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
  await ann.sees("line 59");
  const { page } = ann;
  const dialog = page.getByRole("dialog", { name: "Go to date" });
  const menu = page.getByRole("button", { name: `Menu of the thread with ${pair.bob.name}` });
  const goTo = async (daysFromNow: number): Promise<void> => {
    if ((await dialog.count()) === 0) {
      await menu.press("Enter");
      await expect(page.getByRole("menuitem", { name: "Go to date" })).toBeFocused();
      await page.keyboard.press("Enter");
    }
    await expect(dialog.getByLabel("Date")).toBeFocused();
    const date = new Date(Date.now() + daysFromNow * 86_400_000);
    const parts = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
    await page.keyboard.type(`${parts.join("")}${date.getFullYear()}`);
    await page.keyboard.press("Enter");
  };
  await goTo(2);
  await expect(dialog.getByText("There are no messages on this day or later.")).toBeVisible();
  await hasNoViolation(page, "the choice of a date");
  await page.keyboard.press("Escape");
  await goTo(-3);
  await expect(dialog).toHaveCount(0);
  await expect(ann.message("the first one")).toHaveAttribute("data-highlighted", "true");
  await expect(ann.message("the first one")).toBeInViewport();
  // The message may be from before midnight.
  await expect(
    page.getByText(/^There are no messages on that day\. The next ones are from (today|yesterday)\.$/),
  ).toBeVisible();
  await expect(menu).toBeFocused();
});

test("on a phone the pinned message and its menu are tapped", CHROMIUM_ONLY, async ({ newPair, enter }) => {
  const pair = await newPair();
  await pair.ann.say(pair.bob, "Tap me", ...Array.from({ length: 60 }, (_, at) => `line ${at}`));
  await pin(pair, 1);
  const viewport = { width: 390, height: 844 };
  const bob = await enter(pair.bob, { path: `/home/${pair.ann.id}`, hasTouch: true, viewport });
  await pinned(bob, "Pinned message: Tap me").tap();
  await expect(bob.message("Tap me")).toHaveAttribute("data-highlighted", "true");
  await bob.page.getByRole("button", { name: "Menu of the pinned message" }).tap();
  await bob.page.getByRole("menuitem", { name: "Unpin" }).tap();
  await expect(pinned(bob, NONE)).toHaveCount(0);
});
