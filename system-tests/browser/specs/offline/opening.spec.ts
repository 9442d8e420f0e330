import { hasNoViolation } from "../../support/axe.ts";
import { expect, isKept, isStored, test } from "../../support/offline.ts";

const UNREACHABLE = "The server does not respond. This is what is stored on this device.";

test("opens without the server, shows the last threads, keeps what is written and sends it later", async ({
  relay,
  pairAt,
  enterAt,
}) => {
  const { ann, bob, threadId } = await pairAt();
  await bob.say(ann, "first", "something to find", "last");
  const person = await enterAt(ann, { path: `/home/${bob.id}` });
  const { page } = person;
  await person.sees("last");
  await isStored(page, threadId, "last");
  await isKept(page);
  await page.goto("about:blank");
  await relay.stop();

  await page.goto(`${relay.url}/home`);
  await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: UNREACHABLE })).toBeVisible();
  await expect(person.entry(bob)).toContainText("last");
  await person.openThread(bob);
  await person.sees("something to find");

  await test.step("search works over what is stored", async () => {
    await person.search("to find");
    await page.getByRole("region", { name: "Messages" }).getByRole("button").click();
    await expect(person.message("something to find")).toBeVisible();
    await person.search("");
  });

  await person.send("written without a server");
  await expect(person.message("written without a server").getByRole("img", { name: "Sending" })).toBeVisible();
  await person.composer.fill("half a thought");
  await page.reload();
  await person.sees("written without a server");
  await expect(person.composer).toHaveValue("half a thought");

  await relay.start();
  const bobAtHome = await enterAt(bob, { path: `/home/${ann.id}` });
  await bobAtHome.sees("written without a server");
  await expect(person.message("written without a server").getByRole("img", { name: "Sending" })).toHaveCount(0);
  await expect(page.getByText(UNREACHABLE)).toHaveCount(0);
  await expect(person.composer).toHaveValue("half a thought");
  await bob.say(ann, "welcome back");
  await person.sees("welcome back");
});

test("the app that is opened without the server has no axe violation and works with the keyboard alone", async ({
  relay,
  pairAt,
  enterAt,
}) => {
  test.slow();
  const { ann, bob, threadId } = await pairAt();
  await bob.say(ann, "hello");
  const person = await enterAt(ann, { hasTouch: true });
  const { page } = person;
  await isStored(page, threadId, "hello");
  await isKept(page);
  await page.goto("about:blank");
  await relay.stop();
  await page.goto(`${relay.url}/home`);
  await expect(page.getByText(UNREACHABLE)).toBeVisible();
  await hasNoViolation(page, "opened from the device");

  const focused = page.locator(":focus");
  await page.keyboard.press("Tab");
  await expect(focused).toHaveText("Try now");
  await page.getByPlaceholder("Search").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(person.composer).toBeFocused();
  await page.keyboard.type("a mistake");
  await page.keyboard.press("Enter");
  const openMenu = async () => {
    await person.message("a mistake").getByRole("button", { name: "Message actions" }).focus();
    await page.keyboard.press("Shift+F10");
    await expect(focused).toHaveText("Edit");
  };
  await openMenu();
  // The check moves the focus with Tab, which closes the menu.
  await hasNoViolation(page, "the menu of a message that waits");
  await openMenu();
  await page.keyboard.press("ArrowUp");
  await expect(focused).toHaveText("Delete");
  await page.keyboard.press("Enter");
  await expect(person.message("a mistake")).toHaveCount(0);
  await expect(person.composer).toBeFocused();
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await expect(person.message("by keyboard").getByRole("img", { name: "Sending" })).toBeVisible();
  await hasNoViolation(page, "a thread from the device");

  await relay.start();
  await expect(person.message("by keyboard").getByRole("img", { name: "Sent" })).toBeVisible();
  const { body } = await bob.call("GET", `/messages/${bob.id}?thread_id=${threadId}`);
  expect((body as { text: string }[]).map(({ text }) => text)).toEqual(["hello", "by keyboard"]);
});
