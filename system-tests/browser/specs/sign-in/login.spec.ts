import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

test.describe("the login", () => {
  test.beforeEach(async ({ page }) => {
    await page.goto("/login");
    await expect(page.getByRole("heading", { name: "Log in to your account", exact: true })).toBeVisible();
  });

  test("is submitted by Enter, stores the id and opens /home", CHROMIUM_ONLY, async ({ page, newUser }) => {
    const user = await newUser("Ann");
    const sent = page.waitForRequest((request) => request.url().endsWith("/messageoh/login"));
    await page.getByPlaceholder("Username").fill(user.name);
    await page.getByPlaceholder("Password").fill("a long password");
    await page.getByPlaceholder("Password").press("Enter");
    expect((await sent).method()).toBe("POST");
    expect((await sent).postDataJSON()).toEqual({ name: user.name, password: "a long password" });
    await expect(page.getByText(`Hi ${user.name}!`)).toBeVisible();
    await expect(page).toHaveURL("/home");
    expect(await page.evaluate(() => localStorage.getItem("current-user-id"))).toBe(user.id);
  });

  test("requests its files while the shell still loads", async ({ page }) => {
    const missing: string[] = [];
    page.on("response", (answer) => answer.status() >= 400 && missing.push(answer.url()));
    const asked = Promise.all(
      [/\/mfe-auth\/.*\/remoteEntry\..*\.js$/, /LoginPage\..*\.js$/, /LoginPage\..*\.css$/].map((file) =>
        page.waitForRequest(file),
      ),
    );
    await page.route("**/assets/main.*.js", async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto("/login");
    await expect(page.getByPlaceholder("Username")).toBeVisible();
    expect(missing).toEqual([]);
  });
});
