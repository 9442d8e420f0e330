import { expect, test } from "../../support/test.ts";

const TEXT = "Something went wrong with your request";

test.describe("a failure to load", () => {
  test("friends: fills the window with Retry, which recovers without a reload", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const pattern = "**/messageoh/friends/*";
    const person = await enter(ann, {
      async prepare({ page }) {
        await page.route(pattern, (route) => route.fulfill({ status: 500, json: { error: "broken" } }));
        // A connection would load again before the click on Retry.
        await page.route("**/socket.io/**", (route) => route.abort());
      },
    });
    const { page } = person;
    await expect(page.getByText(TEXT, { exact: true })).toBeVisible();
    const screen = page.getByRole("alert").filter({ hasText: TEXT }).locator("xpath=..");
    await expect(screen.getByRole("button", { name: "Retry" })).toBeVisible();
    await expect.poll(() => screen.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
    await expect(page.getByRole("navigation", { name: "Friends" })).toHaveCount(0);
    await page.unroute(pattern);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(person.entry(bob)).toBeVisible();
    await expect(page.getByText(TEXT)).toHaveCount(0);
  });

  test("a thread and a message search: covers the window with Retry, and can be closed", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "One", "Two", "Hello Ann");
    const person = await enter(ann);
    const { page } = person;
    const cover = page.getByRole("dialog", { name: TEXT });
    for (const [pattern, act, result] of [
      ["**/messageoh/messages/*thread_id=*", () => person.entry(bob).click(), person.message("Hello Ann")],
      ["**/messageoh/messages/*search=*", () => person.search("hello"), page.getByRole("region", { name: "Messages" })],
    ] as const) {
      await page.route(pattern, (route) => route.fulfill({ status: 429, json: { error: "Too fast" } }));
      await act();
      await expect(cover.getByText(TEXT, { exact: true })).toBeVisible();
      await expect.poll(() => cover.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
      await cover.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(cover).toBeVisible();
      await page.unroute(pattern);
      await cover.getByRole("button", { name: "Retry" }).click();
      await expect(result).toBeVisible();
    }
  });
});
