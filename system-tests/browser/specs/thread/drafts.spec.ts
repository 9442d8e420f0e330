import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

test("a draft shows on the other device after a pause, goes on there, and ends when it is sent", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await newPair();
  const [computer, phone] = [
    await enter(ann, { path: `/home/${bob.id}` }),
    await enter(ann, { path: "/home", viewport: { width: 390, height: 844 } }),
  ];
  await computer.page.bringToFront();
  await computer.composer.pressSequentially("See you");
  await expect(phone.entry(bob)).toContainText("Draft");
  await phone.page.bringToFront();
  await phone.entry(bob).click();
  await expect(phone.composer).toHaveValue("See you");
  await phone.composer.press("End");
  await phone.composer.pressSequentially(" at eight");
  await expect(computer.composer).toHaveValue("See you at eight");
  await phone.page.reload();
  await expect(phone.composer).toHaveValue("See you at eight");
  await computer.page.bringToFront();
  await computer.composer.press("Enter");
  await computer.sees("See you at eight");
  await expect(phone.composer).toHaveValue("");
});

test("a draft shows in the other tab of the device, whichever saves it", async ({ newPair, enter }) => {
  const { ann, bob } = await newPair();
  const { page, composer } = await enter(ann, { path: `/home/${bob.id}` });
  await expect(composer).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`/home/${bob.id}`);
  const otherComposer = other.getByLabel("Message...");
  await otherComposer.pressSequentially("See you");
  await expect(composer).toHaveValue("See you");
  await page.bringToFront();
  await composer.press("End");
  await composer.pressSequentially(" soon");
  await expect(otherComposer).toHaveValue("See you soon");
});

test("a draft of a time without a network is saved afterwards", async ({ newPair, enter }) => {
  const { ann, bob } = await newPair();
  const first = await enter(ann, { path: `/home/${bob.id}` });
  await expect(first.composer).toBeVisible();
  await first.page.context().setOffline(true);
  await first.composer.pressSequentially("On the train");
  await first.page.waitForTimeout(2_000);
  await first.page.context().setOffline(false);
  const second = await enter(ann, { path: `/home/${bob.id}` });
  await expect(second.composer).toHaveValue("On the train");
});

test("marks are set by keyboard and drawn at the friend, who sees plain text in the list", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await newPair();
  const [annsPage, bobsPage] = [
    await enter(ann, { path: `/home/${bob.id}` }),
    await enter(bob, { path: `/home/${ann.id}` }),
  ];
  await annsPage.page.bringToFront();
  await annsPage.composer.pressSequentially("very");
  await annsPage.composer.press("ControlOrMeta+a");
  await annsPage.composer.press("ControlOrMeta+b");
  await expect(annsPage.composer).toHaveValue("*very*");
  await annsPage.composer.press("ControlOrMeta+z");
  await expect(annsPage.composer).toHaveValue("very");
  await annsPage.composer.press("ControlOrMeta+i");
  await annsPage.composer.press("ControlOrMeta+Shift+x");
  await expect(annsPage.composer).toHaveValue("_~very~_");
  await annsPage.composer.fill("*very* _good_ ~bad~ `code` <b>no</b>\n> quoted\n- one\n- two");
  await annsPage.composer.press("Enter");
  const article = bobsPage.log.getByRole("article");
  await expect(article.locator("strong")).toHaveText("very");
  await expect(article.locator("em")).toHaveText("good");
  await expect(article.locator("s")).toHaveText("bad");
  await expect(article.locator("code")).toHaveText("code");
  await expect(article.locator("blockquote")).toHaveText("quoted");
  await expect(article.getByRole("listitem")).toHaveText(["one", "two"]);
  await expect(article.locator("b")).toHaveCount(0);
  await expect(bobsPage.entry(ann)).toContainText("very good bad code <b>no</b>");
  await hasNoViolation(bobsPage.page, "a formatted message");
});

test("the code of a block is copied by keyboard", CHROMIUM_ONLY, async ({ newPair, enter }) => {
  const { ann, bob } = await newPair();
  await ann.say(bob, "```\nlet a = 1;\nlet b = *2*;\n```");
  const person = await enter(bob, { path: `/home/${ann.id}` });
  await person.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.page.getByRole("button", { name: "Copy" }).press("Enter");
  expect(await person.page.evaluate(() => navigator.clipboard.readText())).toBe("let a = 1;\nlet b = *2*;");
});
