import { Key } from "selenium-webdriver";
import { expect, test } from "./support/test.ts";
import { bothChat } from "./support/thread.ts";

const GAP = `const log = document.querySelector("[role=log]"); return log.scrollHeight - log.clientHeight - log.scrollTop;`;

test("two people chat in two windows", async ({ open, pairAt }) => {
  const { hers, his } = await bothChat(await pairAt(), open);
  await hers.send("Hello Bob");
  await his.sees("Hello Bob");
  await his.send("Hello Ann");
  await hers.sees("Hello Ann");
  await hers.byRole("img", "Read");
});

test("a search finds a message and opens it", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  await bob.say(ann, "Meet me at the greenhouse", "or somewhere else");
  const window = await open();
  await window.logIn(ann);
  await window.type("Search", "GREENHOUSE");
  await window.click("button", /Meet me at the greenhouse/);
  await window.byRole("log");
  await expect.poll(() => window.run("return document.querySelectorAll('[data-highlighted]').length")).toBe(1);
});

test("a chosen avatar is saved", async ({ open, pairAt }) => {
  const { ann } = await pairAt();
  const window = await open();
  await window.logIn(ann);
  await window.click("button", /account/i);
  await window.click("menuitem", "Change avatar");
  // The dialog moves when it opens, so that a click can miss.
  await expect(async () => {
    await window.click("radio", "Snake");
    expect(await (await window.byRole("radio", "Snake")).getAttribute("aria-checked")).toBe("true");
  }).toPass();
  await window.click("button", "Save");
  await window.hasNo("dialog");
  await window.byRole("img", "Snake");
  await window.driver.navigate().refresh();
  await window.byRole("img", "Snake");
});

test("a dialog keeps the focus, closes with Esc and gives the focus back", async ({ open, pairAt }) => {
  const { ann } = await pairAt();
  const window = await open();
  await window.logIn(ann);
  const account = await window.byRole("button", /account/i);
  await account.sendKeys(Key.RETURN);
  await window.byRole("menuitem", "Change avatar");
  await window.press(Key.RETURN);
  await window.byRole("dialog");
  for (let step = 0; step < 4; step += 1) {
    await window.press(Key.TAB);
    expect(await window.run("return document.activeElement.closest('dialog') !== null")).toBe(true);
  }
  await window.press(Key.ESCAPE);
  await window.hasNo("dialog");
  await expect.poll(() => window.focused()).toMatch(/account/i);
});

test("the thread and the list take turns in the width of a phone", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  await bob.say(ann, "Hello Ann");
  const window = await open(390);
  await window.logIn(ann);
  await window.openThread(bob);
  await window.sees("Hello Ann");
  await window.hasNo("navigation", "Friends");
  await window.click("button", "Back");
  await window.byRole("navigation", "Friends");
  expect(await window.run("return document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("the newest message stays in view while the composer grows and shrinks", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  await bob.say(ann, ...Array.from({ length: 40 }, (_, index) => `message ${index + 1}`));
  await ann.call("PUT", "/update_message_read", { thread_id: await ann.befriend(bob) });
  const window = await open();
  await window.logIn(ann, `/home/${bob.id}`);
  await window.sees("message 40");
  const gap = () => window.run<number>(GAP);
  await expect.poll(gap).toBeLessThanOrEqual(1);
  for (let line = 1; line <= 6; line += 1) {
    await window.type("Message...", `line ${line}`);
    await window.driver.actions().keyDown(Key.SHIFT).sendKeys(Key.RETURN).keyUp(Key.SHIFT).perform();
    await expect.poll(gap, `after ${line} lines`).toBeLessThanOrEqual(1);
  }
  await window.press(Key.RETURN);
  await window.sees("line 6");
  await expect.poll(gap, "after sending").toBeLessThanOrEqual(1);
});
