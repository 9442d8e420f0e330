import type { Page, Route } from "@playwright/test";
import { uniqueName } from "../support/names.ts";
import { expect, test } from "../support/test.ts";

const GENERIC = "Something went wrong with your request";
const SERVERS_OWN = "The server's own words, <b>as they are</b>";

type Answer = (route: Route) => Promise<void>;
const failures: [name: string, answer: Answer][] = [
  ["a network failure", (route) => route.abort()],
  ["an answer that cannot be read", (route) => route.fulfill({ body: "<html>" })],
];

async function submit(page: Page, path: "/login" | "/register"): Promise<void> {
  await page.goto(path);
  await page.getByPlaceholder("Username").fill(uniqueName("Ann"));
  await page.getByPlaceholder("Password").fill("a long password");
  if (path === "/register") await page.getByRole("radio", { name: "Dog" }).click();
  await page.getByRole("button", { name: path === "/login" ? "Log in" : "Register" }).click();
}

for (const [path, call] of [
  ["/login", "**/messageoh/login"],
  ["/register", "**/messageoh/users"],
] as const) {
  test.describe(`errors of ${path}`, () => {
    for (const status of [200, 401]) {
      test(`the server's error with status ${status} is shown as it is`, async ({ page }) => {
        await page.route(call, (route) => route.fulfill({ status, json: { error: SERVERS_OWN } }));
        await submit(page, path);
        await expect(page.getByRole("alert").getByText(SERVERS_OWN, { exact: true })).toBeVisible();
        await expect(page).toHaveURL(path);
        await page.getByPlaceholder("Username").fill("another");
        await expect(page.getByText(SERVERS_OWN)).toHaveCount(0);
      });
    }

    for (const [name, answer] of failures) {
      test(`${name} is 'Something went wrong with your request'`, async ({ page }) => {
        await page.route(call, answer);
        await submit(page, path);
        await expect(page.getByRole("alert").getByText(GENERIC, { exact: true })).toBeVisible();
        await expect(page).toHaveURL(path);
      });
    }
  });
}

test.describe("errors of changing the avatar", () => {
  for (const [name, answer] of failures) {
    test(`${name} is told in the picker's error line and logged, and the overlay stays`, async ({ newUser, enter }) => {
      const user = await newUser("Ann");
      const person = await enter(user);
      const { page } = person;
      const logged: string[] = [];
      page.on("console", (entry) => logged.push(`${entry.type()}: ${entry.text()}`));
      await expect(page.getByText(`Hi ${user.name}!`)).toBeVisible();
      await page.route(`**/messageoh/users/${user.id}`, answer);
      await person.openAccountMenu();
      await page.getByText("Change avatar", { exact: true }).click();
      await page.getByRole("radio", { name: "Fox", exact: true }).click();
      await page.getByRole("button", { name: "Save" }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("alert").getByText(GENERIC, { exact: true })).toBeVisible();
      expect(logged.filter((line) => line.startsWith("error: The avatar could not be saved"))).toHaveLength(1);
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(page.getByAltText("Koala")).toBeVisible();
    });
  }

  test("an answer with an error changes nothing, and the overlay stays", async ({ newUser, enter }) => {
    const user = await newUser("Ann");
    const person = await enter(user);
    const { page } = person;
    await expect(page.getByText(`Hi ${user.name}!`)).toBeVisible();
    await page.route(`**/messageoh/users/${user.id}`, (route) => route.fulfill({ json: { error: SERVERS_OWN } }));
    await person.openAccountMenu();
    await page.getByText("Change avatar", { exact: true }).click();
    await page.getByRole("radio", { name: "Fox", exact: true }).click();
    const answered = page.waitForResponse(`**/messageoh/users/${user.id}`);
    await page.getByRole("button", { name: "Save" }).click();
    await answered;
    await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByAltText("Koala")).toBeVisible();
  });
});

test.describe("errors of adding a friend", () => {
  for (const [name, answer, text] of [
    [
      "the server's error is shown as it is",
      (route: Route) => route.fulfill({ json: { error: SERVERS_OWN } }),
      SERVERS_OWN,
    ],
    ["a network failure is 'Friend could not be added'", (route: Route) => route.abort(), "Friend could not be added"],
  ] as const) {
    test(name, async ({ newUser, enter }) => {
      const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
      const person = await enter(ann);
      const { page } = person;
      await page.route("**/messageoh/add_friend", answer);
      await person.startAddingFriend(bob.name);
      await page.getByRole("button", { name: bob.name }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await expect(dialog.getByRole("alert").getByText(text, { exact: true })).toBeVisible();
      await page.unroute("**/messageoh/add_friend");
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await person.sitsInThreadWith(bob);
    });
  }
});

test("a thread that cannot be marked read on the server still shows as read, and that is logged", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await newPair();
  await bob.say(ann, "Hello Ann");
  const logged: string[] = [];
  const person = await enter(ann, {
    prepare: async ({ page }) => {
      page.on("console", (entry) => logged.push(entry.text()));
      await page.route("**/messageoh/update_message_read", (route) => route.fulfill({ status: 500, json: {} }));
    },
  });
  await expect(person.entry(bob)).toContainText("1 unread message");
  await person.openThread(bob);
  await expect(person.entry(bob)).not.toContainText("unread");
  await expect.poll(() => logged.filter((line) => /read/i.test(line)).length).toBeGreaterThan(0);
  await expect(person.page.getByRole("alert")).toHaveCount(0);
  await expect(person.entry(bob)).not.toContainText("unread");
});
