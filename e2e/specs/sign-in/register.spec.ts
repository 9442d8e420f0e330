import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { isRed } from "../../support/looks.ts";
import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

const MISSING = "Please fill in or select all required fields";

test.describe("the registration", () => {
  test.beforeEach(async ({ page }) => {
    await page.goto("/register");
    await expect(page.getByRole("heading", { name: "Create your account", exact: true })).toBeVisible();
  });

  test("names missing fields and marks each until it is edited", async ({ page }) => {
    const name = page.getByPlaceholder("Username e.g. Albus212");
    const password = page.getByPlaceholder("Password");
    const avatars = page.getByRole("radiogroup");
    const isMarked = (field: typeof name) => field.evaluate((element) => element.ariaInvalid === "true");
    await page.getByRole("button", { name: "Register" }).click();

    await expect(page.getByText(MISSING, { exact: true })).toBeVisible();
    expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([true, true, true]);
    await expect(name).toBeFocused();
    // The focus ring replaces the border.
    await expect.poll(() => isRed(name.locator("xpath=.."), "outline-color")).toBe(true);
    await expect.poll(() => isRed(password.locator("xpath=.."), "border-top-color")).toBe(true);
    await name.fill("Albus212");
    expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([false, true, true]);
    await password.fill("a long password");
    expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([false, false, true]);
    await expect(page.getByText(MISSING)).toBeVisible();
    await page.getByRole("radio", { name: "Dog" }).click();
    expect(await isMarked(avatars)).toBe(false);
    await expect(page.getByText(MISSING)).toHaveCount(0);
  });

  test("is submitted by Enter, stores the id and opens /home", CHROMIUM_ONLY, async ({ page }) => {
    const name = uniqueName("Ann");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByPlaceholder("Username e.g. Albus212").fill(name);
    await page.getByRole("radio", { name: "Giraffe" }).click();
    await page.getByPlaceholder("Password").fill("8 charac");
    await page.getByPlaceholder("Password").press("Enter");
    expect((await sent).postDataJSON()).toEqual({ name, password: "8 charac", avatar_id: "giraffe-id" });
    await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
    await expect(page).toHaveURL("/home");
    const id = await page.evaluate(() => localStorage.getItem("current-user-id"));
    expect((await (await page.request.get(`/messageoh/users/${id}`)).json()) as unknown).toEqual({
      id,
      name,
      avatar_id: "giraffe-id",
    });
  });
});
