import { expect, type Locator } from "@playwright/test";
import type { Person } from "./person.ts";
import type { EnterOptions, Pair } from "./test.ts";

/** Opens the thread of two friends for both. */
export async function bothChat(
  { ann, bob }: Pair,
  enter: (user: Pair["ann"], options: EnterOptions) => Promise<Person>,
): Promise<{ ann: Person; bob: Person }> {
  const [annsPage, bobsPage] = await Promise.all([
    enter(ann, { path: `/home/${bob.id}` }),
    enter(bob, { path: `/home/${ann.id}` }),
  ]);
  await expect(annsPage.composer).toBeVisible();
  return { ann: annsPage, bob: bobsPage };
}

const menuOf = (person: Person, text: string): Locator =>
  person.message(text).first().getByRole("button", { name: "Message actions" });

/** Chooses an entry in the menu of a message with the keyboard alone. */
export async function choose(person: Person, text: string, entry: string): Promise<void> {
  await person.page.bringToFront();
  await menuOf(person, text).press("Enter");
  const items = person.page.getByRole("menuitem");
  await expect(items.first()).toBeFocused();
  const names = await items.allInnerTexts();
  for (let steps = names.indexOf(entry); steps > 0; steps -= 1) await person.page.keyboard.press("ArrowDown");
  await expect(person.page.getByRole("menuitem", { name: entry, exact: true })).toBeFocused();
  await person.page.keyboard.press("Enter");
}
