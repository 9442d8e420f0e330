import type { Page } from "@playwright/test";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { style } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

const storedId = (page: Page) => page.evaluate(() => localStorage.getItem("current-user-id"));

test.describe("session guards", () => {
  test("redirect a logged-in user from / to /home", async ({ newUser, enter }) => {
    const { page } = await enter(await newUser("Ann"), { path: "/" });
    await expect(page.getByText(/^Hi Ann/)).toBeVisible();
    await expect(page).toHaveURL("/home");
  });

  test("redirect a visitor from /home and from a friend's link to /login", async ({ page }) => {
    for (const path of ["/home", "/home/somebody"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
      await expect(page).toHaveURL("/login");
    }
  });

  test("open the thread of a friend's link after login and after registration", async ({ page, newPair }) => {
    const { ann, bob } = await newPair();
    await page.goto(`/home/${bob.id}`);
    await page.getByRole("link", { name: "Register" }).click();
    await page.getByRole("link", { name: "Log in" }).click();
    // The registration stays in view until the login is rendered, and has fields of the same names.
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    await page.getByPlaceholder("Username").fill(ann.name);
    await page.getByPlaceholder("Password").fill("a long password");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("heading", { name: bob.name })).toBeVisible();
    await expect(page).toHaveURL(`/home/${bob.id}`);
  });

  test(
    "show a spinner of three dots, 0.8 s each, while the stored user is checked, and then /home",
    CHROMIUM_ONLY,
    async ({ newUser, enter }) => {
      let answer = () => {};
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const user = await newUser("Ann");
      const pages: Page[] = [];
      for (const path of ["/home", "/login", "/register"]) {
        await test.step(path, async () => {
          const { page } = await enter(user, {
            path,
            prepare: ({ page }) =>
              page.route(`**/messageoh/users/${user.id}`, async (route) => {
                await asked;
                await route.continue();
              }),
          });
          pages.push(page);
          const dots = page.getByRole("status").locator("span[aria-hidden=true]");
          await expect(dots).toHaveCount(3);
          for (const dot of await dots.all()) {
            expect(await style(dot, "animation-duration")).toBe("0.8s");
            expect(await style(dot, "animation-iteration-count")).toBe("infinite");
          }
          await expect(page.getByRole("heading", { name: /Log in|Create/ })).toHaveCount(0);
        });
      }
      answer();
      for (const page of pages) await expect(page).toHaveURL("/home");
    },
  );

  test("redirect to /login and forget the stored user after a rejected check", async ({ page }) => {
    await page.goto("/");
    await page.evaluate(() => localStorage.setItem("current-user-id", "nobody-of-this-name"));
    await page.goto("/home");
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    expect(await storedId(page)).toBeNull();
  });

  test("show Retry and keep the stored user after a check without a response", async ({ newUser, enter }) => {
    const user = await newUser("Ann");
    const { page } = await enter(user, {
      prepare: ({ page }) => page.route(`**/messageoh/users/${user.id}`, (route) => route.abort()),
    });
    await expect(page.getByText("Something went wrong with your request")).toBeVisible();
    await expect(page).toHaveURL("/home");
    expect(await storedId(page)).toBe(user.id);
    await page.unroute(`**/messageoh/users/${user.id}`);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText(`Hi ${user.name}!`)).toBeVisible();
  });
});
