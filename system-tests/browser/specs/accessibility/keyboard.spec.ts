import { expect, test } from "../../support/test.ts";

test.describe("by keyboard alone", () => {
  test("dialogs trap the focus, close with Esc and restore the focus", async ({ newUser, enter }) => {
    const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
    const person = await enter(ann);
    const { page } = person;
    const isInside = () => page.evaluate(() => document.activeElement?.closest("dialog") != null);
    const walkAround = async (steps: number) => {
      for (const key of ["Tab", "Shift+Tab"]) {
        for (let step = 0; step < steps; step += 1) {
          await page.keyboard.press(key);
          expect(await isInside()).toBe(true);
        }
      }
    };
    await page.getByRole("button", { name: /account/i }).press("Enter");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await walkAround(5);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: /account/i })).toBeFocused();

    await person.startAddingFriend(bob.name);
    await page.getByRole("button", { name: bob.name }).press("Enter");
    await expect(page.getByRole("button", { name: "Confirm" })).toBeFocused();
    await walkAround(4);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: bob.name })).toBeFocused();
  });

  test("the focused entry of a menu has a ring", async ({ newUser, enter }) => {
    const { page } = await enter(await newUser("Ann"));
    await page.getByRole("button", { name: /account/i }).press("Enter");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name: "Share my link" })).toBeFocused();
    await expect(page.getByRole("menuitem", { name: "Share my link" })).toHaveCSS("outline-style", "solid");
  });

  test("Esc cancels a dialog whose code is loading instead of closing the thread", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const { page } = await enter(ann, { path: `/home/${bob.id}` });
    const thread = page.getByRole("region", { name: `Thread with ${bob.name}` });
    await page.getByRole("button", { name: `Menu of the thread with ${bob.name}` }).press("Enter");
    const code = /\/mfe-chat\/.*\.js$/;
    const { promise, resolve: load } = Promise.withResolvers<void>();
    await page.route(code, (route) => promise.then(() => route.continue()));
    const asked = page.waitForRequest(code);
    await page.getByRole("menuitem", { name: "Go to date" }).press("Enter");
    await asked;
    await page.keyboard.press("Escape");
    const loaded = page.waitForResponse(code);
    load();
    await (await loaded).finished();
    await expect(thread).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(thread).toHaveCount(0);
  });
});
