import { expect, test } from "../../support/test.ts";

// Uses only texts, placeholders and roles of the specification, and no code of the product.
test("lets two people register, log in, become friends, chat, search, change an avatar and log out", async ({
  browser,
}) => {
  const [albus, minerva] = ["Albus", "Minerva"].map((name) => `${name}${Date.now()}`) as [string, string];
  const page = await (await browser.newContext()).newPage();
  const other = await (await browser.newContext()).newPage();

  await test.step("register", async () => {
    for (const [visitor, name] of [
      [page, albus],
      [other, minerva],
    ] as const) {
      await visitor.goto("/");
      await expect(visitor.getByRole("heading", { name: "Welcome to" })).toBeVisible();
      await visitor.getByRole("button", { name: "Register" }).click();
      await expect(visitor.getByRole("heading", { name: "Create your account" })).toBeVisible();
      await expect(visitor.getByText("Choose your avatar")).toBeVisible();
      await visitor.getByPlaceholder("Username e.g. Albus212").fill(name);
      await visitor.getByPlaceholder("Password").fill("alohomora");
      await visitor.getByAltText(/panda/i).click();
      await visitor.getByRole("button", { name: "Register" }).click();
      await expect(visitor.getByText(`Hi ${name}!`)).toBeVisible();
      await expect(visitor.getByText("No friends here yet...")).toBeVisible();
      await expect(visitor.getByText("Don't be shy, add a friend first!")).toBeVisible();
    }
  });
  await test.step("log out and log in", async () => {
    await page.getByAltText(/panda/i).click();
    await page.getByText("Log out").click();
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    await expect(page.getByText("No account? Register")).toBeVisible();
    await page.getByPlaceholder("Username").fill(albus);
    await page.getByPlaceholder("Password").fill("alohomora");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByText(`Hi ${albus}!`)).toBeVisible();
  });
  await test.step("add a friend", async () => {
    await page.getByRole("button", { name: /add.friend/i }).click();
    await expect(page.getByText("Back home")).toBeVisible();
    await page.getByPlaceholder("Search by username").fill("nobody at all");
    await expect(
      page.getByText("User called 'nobody at all' doesn't exist or is already in your friend list"),
    ).toBeVisible();
    await page.getByPlaceholder("Search by username").fill(minerva);
    await expect(page.getByText("Add Friend", { exact: true })).toBeVisible();
    await page.getByText(minerva).click();
    await expect(page.getByText("Would you like to add this friend to your contact list?")).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByText("No messages here yet...")).toBeVisible();
    await expect(page.getByText("Don't be shy, send a message!")).toBeVisible();
  });
  await test.step("chat", async () => {
    await page.getByRole("textbox", { name: "Message..." }).fill("Meet me at the greenhouse");
    await page.getByPlaceholder("Message...").press("Enter");
    await expect(other.getByText(albus)).toBeVisible();
    await expect(other.getByText("Meet me at the greenhouse")).toBeVisible();
    await other.getByText(albus).click();
    // The message may be from before midnight.
    await expect(other.getByText(/^(Today|Yesterday)$/).first()).toBeVisible();
    await other.getByPlaceholder("Message...").fill("On my way");
    await other.getByRole("button", { name: /send/i }).click();
    await expect(page.getByText("On my way").first()).toBeVisible();
    await other.reload();
    await expect(other.getByText("Meet me at the greenhouse")).toBeVisible();
  });
  await test.step("search", async () => {
    await page.getByPlaceholder("Search").fill("GREENHOUSE");
    await expect(page.getByRole("heading", { name: "Messages" })).toBeVisible();
    await page.getByRole("button", { name: "Meet me at the greenhouse" }).click();
    await expect(page.getByText("Meet me at the greenhouse").last()).toBeInViewport();
    await page.getByPlaceholder("Search").fill(minerva);
    await expect(page.getByRole("heading", { name: "Contacts" })).toBeVisible();
    await page.getByPlaceholder("Search").fill("no such thing");
    await expect(page.getByText("No result for 'no such thing'")).toBeVisible();
  });
  await test.step("change the avatar", async () => {
    await page.getByAltText(/panda/i).first().click();
    await page.getByText("Change avatar").click();
    await expect(page.getByRole("heading", { name: "Choose your new avatar" })).toBeVisible();
    await page.getByAltText(/giraffe/i).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByAltText(/giraffe/i)).toBeVisible();
  });
  await test.step("an unknown page links to the home page", async () => {
    // The browser leaves the history entry of the closed dialog a moment later, which would abort a navigation.
    await expect.poll(() => page.evaluate(() => history.state?.layer)).toBeUndefined();
    await page.goto("/no-such-page");
    await expect(page.getByRole("heading", { name: "Uh oh! Page not found..." })).toBeVisible();
    await page.getByRole("button", { name: "Back home" }).click();
    await expect(page.getByText(`Hi ${albus}!`)).toBeVisible();
  });
  for (const each of [page, other]) await each.context().close();
});
