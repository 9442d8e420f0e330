import { expect, test } from "../../support/test.ts";

const TEXT = "Something went wrong with your request";

test.describe("a failure to load", () => {
  for (const [what, pattern] of [
    ["friends", "**/messageoh/friends/*"],
    ["messages", "**/messageoh/messages/*"],
  ] as const) {
    test(`${what}: fills the window with Retry, which recovers without a reload`, async ({ newPair, enter }) => {
      const { ann, bob } = await newPair();
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
  }

  for (const status of [500, 429]) {
    test(`a thread and a message search: covers the window with Retry on a ${status}, and can be closed`, async ({
      newPair,
      enter,
    }) => {
      const { ann, bob } = await newPair();
      await bob.say(ann, "One", "Two", "Hello Ann");
      const person = await enter(ann);
      const { page } = person;
      const cover = page.getByRole("dialog", { name: TEXT });
      for (const [pattern, act, result] of [
        ["**/messageoh/messages/*thread_id=*", () => person.entry(bob).click(), person.message("Hello Ann")],
        [
          "**/messageoh/messages/*search=*",
          () => person.search("hello"),
          page.getByRole("region", { name: "Messages" }),
        ],
      ] as const) {
        await page.route(pattern, (route) => route.fulfill({ status, json: { error: "Too fast" } }));
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
  }

  test("users: covers the window with Retry, which restores the search", async ({ newUser, enter }) => {
    const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
    const person = await enter(ann);
    const { page } = person;
    await page.route("**/messageoh/users?*", (route) => route.abort());
    await person.startAddingFriend(bob.name);
    const cover = page.getByRole("dialog");
    await expect(cover.getByText(TEXT, { exact: true })).toBeVisible();
    await expect.poll(() => cover.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
    await page.unroute("**/messageoh/users?*");
    await cover.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("button", { name: bob.name })).toBeVisible();
    await expect(page.getByPlaceholder("Search by username")).toHaveValue(bob.name);
  });
});
