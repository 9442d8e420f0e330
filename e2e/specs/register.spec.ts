import { pauseClock } from "../support/clock.ts";
import { isRed } from "../support/looks.ts";
import { uniqueName } from "../support/names.ts";
import { expect, test } from "../support/test.ts";

const MISSING = "Please fill in or select all required fields";
const TOO_SHORT = "Password needs at least 8 characters";

test.describe("the registration", () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install();
    await page.goto("/register");
    await expect(page.getByRole("heading", { name: "Create your account", exact: true })).toBeVisible();
  });

  test("has its fields, avatars, button and the way to the login", async ({ page }) => {
    await expect(page.getByRole("textbox", { name: "Username" })).toHaveAttribute(
      "placeholder",
      "Username e.g. Albus212",
    );
    await expect(page.getByPlaceholder("Password")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Choose your avatar", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Register", exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Log in", exact: true }).click();
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
  });

  test("hides the password until the toggle shows it", async ({ page }) => {
    const password = page.getByPlaceholder("Password");
    await password.fill("a long password");
    await expect(password).toHaveAttribute("type", "password");
    await page.getByRole("button", { name: "Show password" }).click();
    await expect(password).toHaveAttribute("type", "text");
    await page.getByRole("button", { name: "Hide password" }).click();
    await expect(password).toHaveAttribute("type", "password");
  });

  test("names missing fields and marks each until it is edited", async ({ page }) => {
    const name = page.getByPlaceholder("Username e.g. Albus212");
    const password = page.getByPlaceholder("Password");
    const avatars = page.getByRole("radiogroup");
    const isMarked = (field: typeof name) => field.evaluate((element) => element.ariaInvalid === "true");
    await page.getByRole("button", { name: "Register" }).click();

    await expect(page.getByText(MISSING, { exact: true })).toBeVisible();
    expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([true, true, true]);
    for (const field of [name, password]) {
      await expect.poll(() => isRed(field.locator("xpath=.."), "border-top-color")).toBe(true);
    }
    await name.fill("Albus212");
    expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([false, true, true]);
    await password.fill("a long password");
    expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([false, false, true]);
    await expect(page.getByText(MISSING)).toBeVisible();
    await page.getByRole("radio", { name: "Dog" }).click();
    expect(await isMarked(avatars)).toBe(false);
    await expect(page.getByText(MISSING)).toHaveCount(0);
  });

  for (const missing of ["name", "password", "avatar"] as const) {
    test(`is not sent without ${missing === "avatar" ? "an" : "a"} ${missing}`, async ({ page }) => {
      let calls = 0;
      page.on("request", (request) => {
        if (request.method() === "POST" && request.url().endsWith("/messageoh/users")) calls += 1;
      });
      if (missing !== "name") await page.getByPlaceholder("Username e.g. Albus212").fill(uniqueName("Ann"));
      if (missing !== "password") await page.getByPlaceholder("Password").fill("a long password");
      if (missing !== "avatar") await page.getByRole("radio", { name: "Dog" }).click();
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page.getByText(MISSING)).toBeVisible();
      expect(calls).toBe(0);
    });
  }

  test("calls a password too short 750 ms after typing stops", async ({ page }) => {
    const password = page.getByPlaceholder("Password");
    await pauseClock(page);
    await password.pressSequentially("1234567");
    await page.clock.runFor(749);
    await expect(page.getByText(TOO_SHORT)).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(page.getByText(TOO_SHORT, { exact: true })).toBeVisible();
    await test.step("an edit takes it away", async () => {
      await password.press("8");
      await expect(page.getByText(TOO_SHORT)).toHaveCount(0);
      await page.clock.runFor(2_000);
      await expect(page.getByText(TOO_SHORT)).toHaveCount(0);
    });
    await test.step("an empty password is not called short", async () => {
      await password.fill("");
      await page.clock.runFor(2_000);
      await expect(page.getByText(TOO_SHORT)).toHaveCount(0);
    });
  });

  test("calls a common password and one's own name easy to guess, and does not send them", async ({ page }) => {
    let calls = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/messageoh/users")) calls += 1;
    });
    const name = uniqueName("Ann");
    await page.getByPlaceholder("Username e.g. Albus212").fill(name);
    await page.getByRole("radio", { name: "Dog" }).click();
    const password = page.getByPlaceholder("Password");
    await password.fill("Password123");
    await expect(
      page.getByText("This password is too common. Please choose one that is harder to guess"),
    ).toBeVisible();
    await page.getByRole("button", { name: "Register" }).click();
    await password.fill(`${name}!`);
    await expect(page.getByText("Your password must not be your username")).toBeVisible();
    await page.getByRole("button", { name: "Register" }).click();
    expect(calls).toBe(0);
  });

  test("names what a username may not contain", async ({ page }) => {
    await page.getByPlaceholder("Username e.g. Albus212").fill("Ann\u202e");
    await expect(page.getByText("Username contains invalid characters")).toBeVisible();
  });

  test("does not send a password that is too short", async ({ page }) => {
    await page.getByPlaceholder("Username e.g. Albus212").fill(uniqueName("Ann"));
    await page.getByPlaceholder("Password").fill("1234567");
    await page.getByRole("radio", { name: "Dog" }).click();
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText(TOO_SHORT)).toBeVisible();
    await expect(page).toHaveURL("/register");
  });

  test("is sent by Enter, stores the id and goes home", async ({ page }) => {
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
