import type { Browser, Page } from "@playwright/test";
import type { Named } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";

const PASSWORD = "a long password";
const TEN_SESSIONS = Array.from({ length: 10 }, (_, at) => ({
  id: `session-${at}`,
  device: "Chrome on Linux",
  created_at: "2026-01-01T12:00:00.000Z",
  last_used_at: "2026-01-01T12:00:00.000Z",
  is_current: at === 0,
}));

/** Logs in with a new browser, which creates another session. */
async function logInElsewhere(browser: Browser, { name }: Named, password = PASSWORD): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto("/login");
  await page.getByPlaceholder("Username").fill(name);
  await page.getByPlaceholder("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
  return page;
}

const atLogin = (page: Page) => expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();

test("lists the user's sessions, and opens /login in the tabs of an ended session on every instance", async ({
  browser,
  newUser,
  enter,
}) => {
  const ann = await newUser("Ann");
  const person = await enter(ann);
  await expect(person.page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  const elsewhere = await logInElsewhere(browser, ann);
  const tabs = [elsewhere, await elsewhere.context().newPage(), await elsewhere.context().newPage()];
  for (const tab of tabs.slice(1)) {
    await tab.goto("/home");
    await expect(tab.getByText(`Hi ${ann.name}!`)).toBeVisible();
  }
  const dialog = await person.openSettings("Sessions");
  await expect(dialog.getByRole("listitem")).toHaveText([
    /This device/,
    /^(?:Chrome|Firefox) on Linux\s*Active now\s*Logged in \w{3} \d/,
  ]);
  await dialog.getByRole("button", { name: /^Log out (?:Chrome|Firefox) on Linux$/ }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(1);
  await expect(dialog.getByRole("status")).toHaveText(/(?:Chrome|Firefox) on Linux is logged out/);
  for (const tab of tabs) {
    await atLogin(tab);
    await expect(tab.getByText("The session was ended elsewhere or has expired.")).toBeVisible();
  }
  await elsewhere.context().close();

  await dialog.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Log out on all devices, this one too?");
  await expect(dialog.getByRole("button", { name: "Log out everywhere" })).toBeFocused();
  await dialog.getByRole("button", { name: "Log out everywhere" }).click();
  await atLogin(person.page);
  await expect(person.page.getByText("The session was ended elsewhere or has expired.")).toBeHidden();
  expect((await ann.call("GET", `/users/${ann.id}`)).status).toBe(401);
});

test("requires the old password for a new one, which ends all other sessions", async ({ browser, newUser, enter }) => {
  const ann = await newUser("Ann");
  const person = await enter(ann);
  const elsewhere = await logInElsewhere(browser, ann);
  await person.page.bringToFront();
  const dialog = await person.openSettings("Change password");
  await expect(dialog.getByLabel("Current password")).toBeFocused();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Please fill in or select all required fields");
  await dialog.getByLabel("Current password").fill("not this one");
  await dialog.getByLabel("New password").fill("short");
  // Shown while typing, as on the registration page.
  await expect(dialog.getByText("Password needs at least 8 characters")).toBeVisible();
  await dialog.getByLabel("New password").press("Enter");
  await expect(dialog.getByText("Password needs at least 8 characters")).toBeVisible();
  await expect(dialog.getByLabel("New password")).toBeFocused();
  await dialog.getByLabel("New password").fill("another long one");
  await dialog.getByLabel("New password").press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("Your current password is wrong");
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Your password is changed")).toBeVisible();
  await atLogin(elsewhere);
  await elsewhere.context().close();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(person.page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  const again = await logInElsewhere(browser, ann, "another long one");
  await again.context().close();
});

test("dialogs fit into 400 px with their heading and buttons, as does the menu", async ({ newUser, enter }) => {
  const { page } = await enter(await newUser("Ann"), {
    viewport: { width: 390, height: 400 },
    prepare: ({ page }) => page.route("**/messageoh/sessions/*", (route) => route.fulfill({ json: TEN_SESSIONS })),
  });
  await page.getByRole("button", { name: /account|avatar/i }).click();
  const menu = page.getByRole("menu");
  await expect(menu).toBeInViewport({ ratio: 1 });
  await menu.getByRole("menuitem", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByRole("button", { name: "Back" })).toBeInViewport({ ratio: 1 });
  await settings.getByRole("button", { name: "Sessions" }).click();
  const dialog = page.getByRole("dialog", { name: "Sessions" });
  await dialog.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(dialog.getByText("Log out on all devices, this one too?")).toBeInViewport({ ratio: 1 });
  for (const name of ["Close", "Cancel", "Log out everywhere"]) {
    await expect(dialog.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  }
  await expect(dialog.getByRole("heading", { name: "Sessions" })).toBeInViewport({ ratio: 1 });
});
