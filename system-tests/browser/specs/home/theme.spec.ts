import { style } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

const DARK = "rgb(29, 24, 21)";
const LIGHT = "rgb(248, 242, 231)";

test.describe("the theme", () => {
  test("is chosen in the settings, holds in all tabs and on /login, and never flashes", async ({ newUser, enter }) => {
    const person = await enter(await newUser("Ann"));
    const { page } = person;
    const body = page.locator("body");
    const other = await page.context().newPage();
    await other.goto("/home");
    expect(await style(body, "background-color")).toBe(LIGHT);
    await person.openAccountMenu();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByRole("radio", { name: "Violet" }).click();
    await page.getByRole("radio", { name: "Dots" }).click();
    await page.getByRole("radio", { name: "Right to left" }).click();
    for (const tab of [page, other]) {
      await expect(tab.locator("html")).toHaveAttribute("dir", "rtl");
      await expect(tab.locator("html")).toHaveAttribute("data-accent", "violet");
      await expect(tab.locator("html")).toHaveAttribute("data-background", "dots");
    }
    await page.getByRole("radio", { name: "Dark" }).click();
    for (const tab of [page, other]) {
      await expect.poll(() => style(tab.locator("body"), "background-color")).toBe(DARK);
    }
    expect(await other.locator("meta[name=theme-color][media=all]").getAttribute("content")).toBe("#1d1815");

    // The theme is set before the body exists, so nothing is painted in another one.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        observer.disconnect();
        document.body.dataset.themeAtStart = document.documentElement.dataset.theme;
      }).observe(document, { childList: true, subtree: true });
    });
    for (const path of ["/home", "/login"]) {
      if (path === "/login") await page.evaluate(() => localStorage.removeItem("current-user-id"));
      await page.goto(path);
      expect(await body.getAttribute("data-theme-at-start")).toBe("dark");
      await expect.poll(() => style(body, "background-color")).toBe(DARK);
    }
    await page.evaluate(() => localStorage.removeItem("messageoh:theme"));
    await page.emulateMedia({ colorScheme: "light" });
    await page.reload();
    expect(await style(body, "background-color")).toBe(LIGHT);
  });

  test("and the other settings are reached by scrolling on a phone, below the heading", async ({ newUser, enter }) => {
    const person = await enter(await newUser("Ann"));
    const { page } = person;
    await page.setViewportSize({ width: 390, height: 844 });
    await person.openAccountMenu();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    const last = page.getByRole("radio").last();
    await expect(last).not.toBeInViewport();
    await page.mouse.move(195, 500);
    await page.mouse.wheel(0, 3_000);
    await expect(last).toBeInViewport();
    await expect(page.getByRole("heading", { name: "Settings" })).toBeInViewport();
  });
});
