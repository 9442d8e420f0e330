import { hasNoViolation } from "../../support/axe.ts";
import { heard, listen } from "../../support/spoken.ts";
import { expect, test } from "../../support/test.ts";

test.describe("axe finds no violation", () => {
  test.slow();
  test.use({ hasTouch: true });

  test("on the screens of a visitor", async ({ page }) => {
    for (const path of ["/", "/nowhere", "/login", "/register"]) {
      await page.goto(path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await expect(page.getByRole("button").first()).toBeVisible();
      await hasNoViolation(page, path);
    }
    await page.getByPlaceholder("Password").fill("short");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("Please fill in or select all required fields")).toBeVisible();
    await expect(page.getByText("Password needs at least 8 characters")).toBeVisible();
    await hasNoViolation(page, "/register with errors");
  });

  test("at home: without friends, unread, thread, emoji", async ({ newPair, newUser, enter }) => {
    const { ann, bob } = await newPair();
    const lonely = await enter(await newUser("Lonely"), { hasTouch: true });
    await expect(lonely.page.getByText("No friends here yet...").first()).toBeVisible();
    await hasNoViolation(lonely.page, "no friends");

    await bob.say(ann, "https://example.org/".padEnd(300, "x"), "Hello Ann, see https://example.org");
    const person = await enter(ann, { hasTouch: true });
    const { page } = person;
    await expect(person.entry(bob)).toContainText("2 unread messages");
    await hasNoViolation(page, "the list");
    await person.openThread(bob);
    await person.send("Hello Bob");
    await person.sees("Hello Bob");
    await hasNoViolation(page, "a thread");
    // Without hover, the button is visible while it has the focus.
    await person.log.getByRole("button", { name: "Message actions" }).last().focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menu")).toBeVisible();
    await hasNoViolation(page, "the menu of a message");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Emoji" }).click();
    await expect(page.getByRole("button", { name: "grinning face", exact: true })).toBeVisible();
    await hasNoViolation(page, "emoji");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Search in this thread" }).click();
    await expect(page.getByRole("textbox", { name: "Search in this thread" })).toBeVisible();
    await hasNoViolation(page, "the search in a thread");
  });

  test("at home: results, menu, sessions, change of password", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "https://example.org/".padEnd(300, "x"), "Hello Ann, see https://example.org");
    const person = await enter(ann, { path: `/home/${bob.id}`, hasTouch: true });
    const { page } = person;
    await person.send("Hello Bob");
    await expect(person.message("Hello Bob").getByRole("img", { name: /^(Sent|Delivered)$/ })).toBeVisible();
    await person.search("hello");
    await expect(page.getByRole("heading", { name: "Messages" })).toBeVisible();
    await hasNoViolation(page, "results");
    // On the narrow screen the search had a history entry, which it takes back.
    await expect.poll(() => page.evaluate(() => history.state?.layer)).toBeUndefined();
    await page.goto("/home");
    await person.openAccountMenu();
    await expect(page.getByRole("menu")).toBeVisible();
    await hasNoViolation(page, "the menu");
    await page.keyboard.press("Escape");
    await person.openAccountMenu();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await expect(page.getByRole("dialog", { name: "Settings" })).toBeVisible();
    await hasNoViolation(page, "the settings");
    await page.getByRole("button", { name: "Sessions" }).click();
    await expect(page.getByRole("button", { name: "Log out everywhere" })).toBeVisible();
    await hasNoViolation(page, "the sessions");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert")).toHaveText("Please fill in or select all required fields");
    await hasNoViolation(page, "the change of a password, with an error");
  });

  test("at home: change avatar, add friend, confirmation, failure to load", async ({ newUser, enter }) => {
    const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
    const person = await enter(ann, { hasTouch: true });
    const { page } = person;
    await person.openAccountMenu();
    await page.getByText("Change avatar", { exact: true }).click();
    await expect(page.getByRole("heading", { name: "Choose your new avatar" })).toBeVisible();
    await hasNoViolation(page, "the avatar overlay");
    await page.keyboard.press("Escape");
    await person.startAddingFriend(bob.name);
    await expect(page.getByRole("button", { name: bob.name })).toBeVisible();
    await hasNoViolation(page, "add friend");
    await page.getByRole("button", { name: bob.name }).click();
    await expect(page.getByRole("button", { name: "Confirm" })).toBeVisible();
    await hasNoViolation(page, "the confirmation");

    const broken = await enter(bob, {
      hasTouch: true,
      prepare: ({ page }) => page.route("**/messageoh/friends/*", (route) => route.abort()),
    });
    await expect(broken.page.getByRole("button", { name: "Retry" })).toBeVisible();
    await hasNoViolation(broken.page, "a failure to load");
  });
});

test("announces only new messages of the friend in a live region of the thread's log", async ({ newPair, enter }) => {
  const { ann, bob } = await newPair();
  await bob.say(ann, "from before");
  const person = await enter(ann, { path: `/home/${bob.id}`, prepare: ({ page }) => listen(page) });
  const { page } = person;
  await person.sees("from before");
  await expect(person.log).toHaveAttribute("aria-live", "off");
  await person.send("my own");
  await expect(person.message("my own").getByRole("img", { name: "Sent" })).toBeVisible();
  await bob.say(ann, "brand new");
  await person.sees("brand new");
  const announced: string[] = [];
  await expect
    .poll(async () => {
      announced.push(...(await heard(page)));
      return announced;
    })
    .toEqual([`${bob.name}: brand new`]);
});
