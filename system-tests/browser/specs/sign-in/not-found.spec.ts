import { expect, test } from "../../support/test.ts";

test.describe("any other path", () => {
  test("shows that the page does not exist, with a sad rabbit", async ({ page }) => {
    for (const path of ["/home/a/b", "/foo.js", "/LOGIN"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "Uh oh! Page not found...", exact: true })).toBeVisible();
      await expect(page.getByRole("img", { name: /sad rabbit/i })).toBeVisible();
    }
  });

  test("'Back home' opens the landing page", async ({ page }) => {
    await page.goto("/nowhere");
    await page.getByRole("button", { name: "Back home" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { name: "Welcome to Messageoh!" })).toBeVisible();
  });
});
