import type { Page } from "@playwright/test";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { uniqueName } from "../../support/names.ts";
import { ProtocolClient } from "../../support/protocolClient.ts";
import { heard, listen, treeProblems } from "../../support/spoken.ts";
import { expect, test } from "../../support/test.ts";

const PASSWORD = "a long password";

/** Finds and operates everything by role and name with the keyboard, as a screen reader does. */
test(
  "a user registers, adds a friend, chats, searches and ends a session by roles, names and announcements alone",
  CHROMIUM_ONLY,
  async ({ page, baseURL, newUser }) => {
    const bob = await newUser("Bob");
    const name = uniqueName("Ann");
    await bob.connect();
    await listen(page);
    const says = (...texts: (string | RegExp)[]) => expectHeard(page, texts);
    const button = (label: string) => page.getByRole("button", { name: label, exact: true });
    const field = (label: string) => page.getByRole("textbox", { name: label, exact: true });
    const hasGoodTree = async () => expect(await treeProblems(page)).toEqual([]);

    await test.step("registration", async () => {
      await page.goto("/register");
      await button("Register").press("Enter");
      await says("Please fill in or select all required fields");
      await expect(field("Username")).toBeFocused();
      await expect(field("Username")).toHaveAccessibleDescription("Please fill in or select all required fields");
      await hasGoodTree();
      await page.keyboard.type(name);
      await field("Password").fill("short");
      await says("Password needs at least 8 characters");
      await expect(field("Password")).toHaveAccessibleDescription(/Password needs at least 8 characters/);
      await field("Password").fill(PASSWORD);
      await page
        .getByRole("radiogroup", { name: "Choose your avatar" })
        .getByRole("radio", { name: "Panda" })
        .press(" ");
      await button("Register").press("Enter");
      await expect(page.getByRole("heading", { name: `Hi ${name}!`, level: 1 })).toBeFocused();
      await hasGoodTree();
    });

    await test.step("a friend is added", async () => {
      await says();
      await button("Add friend").press("Enter");
      await expect(field("Search by username")).toBeFocused();
      await page.keyboard.type("nobody at all");
      await says(/^\d+ users?$/, "User called 'nobody at all' doesn't exist or is already in your friend list");
      await field("Search by username").fill(bob.name);
      await expect(page.getByRole("region", { name: "Add Friend" }).getByRole("listitem")).toHaveCount(1);
      await says("1 user");
      await button(bob.name).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Would you like to add this friend to your contact list?" });
      await expect(dialog.getByRole("button", { name: "Confirm" })).toBeFocused();
      await hasGoodTree();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: `Thread with ${bob.name}` })).toBeVisible();
      await expect(field("Message...")).toBeFocused();
    });

    await test.step("messages are exchanged; only the friend's are announced", async () => {
      await says();
      const log = page.getByRole("log", { name: `Messages with ${bob.name}` });
      await page.keyboard.type("Hello Bob");
      await page.keyboard.press("Enter");
      const sent = log.getByRole("article", { name: "You" });
      await expect(sent).toContainText("Hello Bob");
      await expect(sent.getByRole("img", { name: /^(Sent|Delivered)$/ })).toBeVisible();
      const ann = new ProtocolClient(baseURL ?? "", name);
      ann.id = await page.evaluate(() => localStorage.getItem("current-user-id") ?? "");
      ann.cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
      await bob.say(ann, "Hello Ann");
      await expect(log.getByRole("article", { name: bob.name })).toContainText("Hello Ann");
      await says(`${bob.name}: Hello Ann`);
      await hasGoodTree();
    });

    await test.step("a lost connection is announced", async () => {
      await page.context().setOffline(true);
      await says("You are offline. Messages will be sent when the connection is back.");
      await page.context().setOffline(false);
      await expect(page.getByText(/^(You are offline|Reconnecting|The server)/)).toHaveCount(0);
      await heard(page);
    });

    await test.step("a search announces the number of results and opens one", async () => {
      await field("Search").fill("hello");
      await says("2 messages");
      const results = page.getByRole("region", { name: "Messages" }).getByRole("button");
      await expect(results).toHaveCount(2);
      await hasGoodTree();
      await field("Search").fill("no such thing");
      await says("No result for 'no such thing'");
      await field("Search").press("Escape");
      await expect(
        page.getByRole("navigation", { name: "Friends" }).getByRole("link", { name: bob.name }),
      ).toBeVisible();
    });

    await test.step("the avatar is changed, and the focus returns to the menu's button", async () => {
      const account = button("Your avatar and account menu");
      await account.press("Enter");
      await expect(page.getByRole("menuitem", { name: "Change avatar" })).toBeFocused();
      await page.keyboard.press("Enter");
      const avatars = page.getByRole("dialog").getByRole("radiogroup", { name: "Choose your new avatar" });
      await expect(avatars.getByRole("radio", { name: "Panda" })).toBeChecked();
      await avatars.getByRole("radio", { name: "Giraffe" }).press(" ");
      await expect(avatars.getByRole("radio", { name: "Giraffe" })).toBeChecked();
      await hasGoodTree();
      await button("Save").press("Enter");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(account).toBeFocused();
      await says();
    });

    await test.step("another session is ended, then all of them", async () => {
      const elsewhere = await fetch(`${baseURL}/messageoh/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name, password: PASSWORD }),
      });
      expect(elsewhere.status).toBe(200);
      await button("Your avatar and account menu").press("Enter");
      await page.getByRole("menuitem", { name: "Settings" }).press("Enter");
      await hasGoodTree();
      await button("Sessions").press("Enter");
      const dialog = page.getByRole("dialog", { name: "Sessions" });
      const list = dialog.getByRole("list", { name: "Your sessions" });
      await expect(list.getByRole("listitem")).toHaveCount(2);
      await hasGoodTree();
      await heard(page);
      await list.getByRole("button", { name: /^Log out / }).press("Enter");
      await expect(list).toBeFocused();
      await says(/ is logged out$/);
      await dialog.getByRole("button", { name: "Log out everywhere" }).press("Enter");
      await says("Log out on all devices, this one too?");
      await expect(dialog.getByRole("button", { name: "Log out everywhere" })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: "Log in to your account", level: 1 })).toBeFocused();
    });
  },
);

/** Expects exactly these announcements, in this order, since the last call. */
async function expectHeard(page: Page, texts: readonly (string | RegExp)[]): Promise<void> {
  const all: string[] = [];
  await expect
    .poll(async () => {
      all.push(...(await heard(page)));
      return all.length >= texts.length;
    })
    .toBe(true);
  expect(all).toEqual(texts.map((text) => (typeof text === "string" ? text : expect.stringMatching(text))));
}
