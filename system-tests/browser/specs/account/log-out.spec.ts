import type { Page } from "@playwright/test";
import { expect, test } from "../../support/test.ts";

const ways = {
  "the browser is online again": {
    lose: (page: Page) => page.context().setOffline(true),
    repeat: (page: Page) => page.context().setOffline(false),
  },
  "a page is loaded again": {
    lose: (page: Page) => page.route("**/messageoh/logout", (route) => route.abort()),
    repeat: (page: Page) => page.reload(),
  },
};
for (const [when, { lose, repeat }] of Object.entries(ways)) {
  test(`a log-out that the server does not get is repeated when ${when}`, async ({ page, newUser }) => {
    const ann = await newUser("Ann");
    await page.goto("/login");
    await page.getByPlaceholder("Username").fill(ann.name);
    await page.getByPlaceholder("Password").fill("a long password");
    await page.getByRole("button", { name: "Log in" }).click();
    // The lists are loaded.
    await expect(page.getByText("No friends here yet...").first()).toBeVisible();
    const status = async () => (await page.request.get(`/messageoh/users/${ann.id}`)).status();

    await lose(page);
    await page.getByRole("button", { name: /account|avatar/i }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await expect(page).toHaveURL("/login");
    expect(await status()).toBe(200);
    await repeat(page);
    await expect.poll(status).toBe(401);
    await expect.poll(() => page.evaluate(() => document.cookie)).toBe("");
  });
}
