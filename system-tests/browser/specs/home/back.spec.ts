import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

test(
  "closes one layer over the list per Back on a phone and never leaves the page",
  CHROMIUM_ONLY,
  async ({ newPair, newUser, enter }) => {
    const { ann, bob } = await newPair();
    const cid = await newUser("Cid");
    const person = await enter(ann, { viewport: { width: 390, height: 844 } });
    const { page } = person;
    await expect(person.entry(bob)).toBeVisible();
    const length = await page.evaluate(() => history.length);

    await test.step("a search", async () => {
      await person.search(bob.name);
      await expect(page.getByRole("heading", { name: "Contacts" })).toBeVisible();
      await page.goBack();
      await expect(page.getByPlaceholder("Search")).toHaveValue("");
      await expect(person.entry(bob)).toBeVisible();
    });
    await test.step("a thread that was opened from a search", async () => {
      await person.search(bob.name);
      await page.getByRole("region", { name: "Contacts" }).getByRole("link", { name: bob.name }).click();
      await person.sitsInThreadWith(bob);
      await page.goBack();
      await expect(person.entry(bob)).toBeVisible();
      await expect(page).toHaveURL("/home");
    });
    await test.step("the confirmation of a friend, then the mode", async () => {
      await person.startAddingFriend(cid.name);
      await page.getByRole("button", { name: cid.name }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByPlaceholder("Search by username")).toHaveValue(cid.name);
      await page.goBack();
      await expect(person.entry(bob)).toBeVisible();
    });
    await test.step("the full-screen error", async () => {
      await page.route("**/messageoh/users?*", (route) => route.abort());
      await person.startAddingFriend("somebody");
      await expect(page.getByText("Something went wrong with your request")).toBeVisible();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(person.entry(bob)).toBeVisible();
    });
    await test.step("a dialog; closing it by its icon leaves no history entry", async () => {
      const settings = page.getByRole("dialog", { name: "Settings" });
      const closeIcons = [
        () => page.getByRole("dialog", { name: "Sessions" }).getByRole("button", { name: "Close" }).click(),
        () => settings.getByRole("button", { name: /Close|Back/ }).click(),
      ];
      for (const [closePart, closeAll] of [[() => page.goBack(), () => page.goBack()], closeIcons]) {
        await expect(await person.openSettings("Sessions")).toBeVisible();
        await closePart?.();
        await expect(page.getByRole("dialog")).toHaveCount(1);
        await expect(settings.getByRole("button", { name: "Sessions" })).toBeFocused();
        await closeAll?.();
        await expect(page.getByRole("dialog")).toHaveCount(0);
        await expect(page).toHaveURL("/home");
      }
      // The browser takes the entry of the closed dialog back a moment later.
      await expect.poll(() => page.evaluate(() => history.state?.layer)).toBeUndefined();
    });
    await test.step("the page after a reload, which removes dialogs with their history entries", async () => {
      await expect(await person.openSettings("Sessions")).toBeVisible();
      await page.reload();
      await expect(person.entry(bob)).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect.poll(() => page.evaluate(() => history.state?.layer)).toBeUndefined();
      // The entry before this one belongs to another page.
      await page.goBack();
      await expect(page).toHaveURL("about:blank");
      expect(length).toBe(2);
    });
  },
);
