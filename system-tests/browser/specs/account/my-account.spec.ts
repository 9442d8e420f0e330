import { readFile } from "node:fs/promises";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

test.describe("My account", () => {
  test("changes the avatar and the name, which friends see at once", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann);
    const friend = await enter(bob);
    await expect(friend.entry(ann)).toBeVisible();
    const { page } = person;
    await test.step("the avatar, whose dialog closes", async () => {
      await person.openAccountMenu();
      await page.getByText("Change avatar", { exact: true }).click();
      await page.getByRole("radio", { name: "Snake" }).click();
      const sent = page.waitForRequest((request) => request.method() === "PUT");
      await page.getByRole("button", { name: "Save" }).click();
      expect(new URL((await sent).url()).pathname).toBe(`/messageoh/users/${ann.id}`);
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByAltText("Snake")).toBeVisible();
      await expect(friend.entry(ann).locator("img")).toHaveAttribute("src", /snake/);
    });
    const name = uniqueName("Rowena");
    const dialog = await person.openSettings("My account");
    await expect(dialog.getByText(/^Member since \w+ \d+, \d{4}$/)).toBeVisible();
    await dialog.getByRole("button", { name: "Change name" }).click();
    await dialog.getByLabel("New username").fill(name);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText(`Your name is now ${name}`)).toBeVisible();
    await expect(friend.entry({ name })).toBeVisible();
    await expect(friend.entry(ann)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
    await expect(page.getByAltText("Snake")).toBeVisible();
  });

  test("downloads all data of the user as a file", CHROMIUM_ONLY, async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann);
    const { page } = person;
    await person.entry(bob).click();
    await person.send("For the archive");
    await person.sees("For the archive");
    await person.openSettings("My account");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    const data = JSON.parse(await readFile(await (await download).path(), "utf8"));
    expect(data).toMatchObject({ account: { id: ann.id, name: ann.name }, friends: [{ id: bob.id }] });
    expect(data.messages.map(({ text }: { text: string }) => text)).toContain("For the archive");
    await expect(page.getByText("Saved as messageoh-data.json")).toBeVisible();
  });

  test("deletes the account; friends keep a closed thread without its texts", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann);
    const friend = await enter(bob);
    await person.entry(bob).click();
    await person.send("Burn after reading");
    await friend.entry(ann).click();
    await friend.sees("Burn after reading");
    const { page } = person;
    await person.openSettings("My account");
    await page.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("radio", { name: /Friends see/ }).click();
    await page.getByLabel("Your password").fill("a long password");
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    await expect(page).toHaveURL("/login");
    await expect(page.getByText("The session was ended elsewhere or has expired.")).toBeHidden();
    await expect(friend.page.getByText(/^This account was deleted\./)).toBeVisible();
    await expect(friend.composer).toHaveCount(0);
    await expect(friend.entry({ name: "Deleted account" })).toBeVisible();
    await expect(async () => {
      await friend.page.reload();
      await expect(friend.message("deleted")).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.getByPlaceholder("Username").fill(ann.name);
    await page.getByPlaceholder("Password").fill("a long password");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByText("Wrong username or password")).toBeVisible();
  });
});
