import type { Locator, Page } from "@playwright/test";
import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  const isFocused = () => element.evaluate((node) => node === document.activeElement);
  for (let stops = 0; stops < 40 && !(await isFocused()); stops += 1) await page.keyboard.press("Tab");
  await expect(element).toBeFocused();
}

/** Opens a part of the settings. */
async function open(page: Page, name: string): Promise<Locator> {
  await tabTo(page, page.getByRole("button", { name: "Your avatar and account menu" }));
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: "Settings" });
  await expect(item).toBeVisible();
  for (let rows = 0; rows < 12 && !(await item.evaluate((row) => row === document.activeElement)); rows += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name }));
  await page.keyboard.press("Enter");
  return page.getByRole("dialog", { name });
}

test(
  "the notice of a new friend, the account and blocks work by keyboard alone, without an axe violation",
  CHROMIUM_ONLY,
  async ({ newUser, enter }) => {
    test.slow();
    const [ann, bob, cyd] = await Promise.all(["Ann", "Bob", "Cyd"].map(newUser));
    if (!ann || !bob || !cyd) throw new Error("Three users are registered");
    await bob.call("POST", "/add_friend", { user_id: bob.id, friend_id: ann.id });
    await ann.call("PUT", `/users/${ann.id}/blocked/${cyd.id}`);
    const person = await enter(ann, { path: `/home/${bob.id}`, hasTouch: true });
    const { page } = person;
    await expect(person.composer).toBeFocused();

    await test.step("the notice", async () => {
      const notice = page.getByRole("region", { name: "New friend" });
      await expect(notice).toContainText(`${bob.name} added you`);
      await hasNoViolation(page, "the notice of a new friend");
      await tabTo(page, notice.getByRole("button", { name: "OK" }));
      await page.keyboard.press("Enter");
      await expect(notice).toHaveCount(0);
      await expect(person.composer).toBeFocused();
    });

    await test.step("the account", async () => {
      const dialog = await open(page, "My account");
      await expect(dialog.getByText(/^Member since/)).toBeVisible();
      await hasNoViolation(page, "the account");
      const download = page.waitForEvent("download");
      await tabTo(page, dialog.getByRole("button", { name: "Download my data" }));
      await page.keyboard.press("Enter");
      await download;
      await expect(dialog.getByText("Saved as messageoh-data.json")).toBeVisible();
      await tabTo(page, dialog.getByRole("button", { name: "Delete account" }));
      await page.keyboard.press("Enter");
      await expect(dialog.getByLabel("Your password")).toBeFocused();
      await hasNoViolation(page, "the deletion of the account");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    });

    await test.step("the blocks", async () => {
      const dialog = await open(page, "Privacy");
      await tabTo(page, dialog.getByRole("button", { name: `Unblock ${cyd.name}` }));
      await hasNoViolation(page, "the blocked people");
      await tabTo(page, dialog.getByRole("button", { name: `Unblock ${cyd.name}` }));
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("heading", { name: "Blocked people" })).toBeFocused();
      await expect(dialog.getByText("You have not blocked anybody.")).toBeVisible();
    });
  },
);
