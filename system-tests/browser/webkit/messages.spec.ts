import { expect, test } from "./support/test.ts";
import { bothChat, choose } from "./support/thread.ts";

test("a reply, an edit, a reaction and a deletion reach the friend", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  await ann.say(bob, "Tea or coffee?");
  const { hers, his } = await bothChat({ ann, bob }, open);
  await choose(his, "Tea or coffee?", "Reply");
  await his.send("Tea, please");
  await hers.sees("Tea, please");
  await hers.byRole("button", /Tea or coffee\?$/);
  await choose(hers, "Tea, please", "React");
  await hers.click("button", "Thumbs up");
  await his.byRole("button", /👍/);
  await choose(his, "Tea, please", "Edit");
  await his.send(" with milk");
  await hers.sees("Tea, please with milk");
  await hers.byRole("button", "Edited");
  await choose(his, "Tea, please", "Delete");
  await his.click("button", "Delete for everyone");
  await hers.sees("Message deleted");
});

test("a message is forwarded, pinned for both and starred", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  await bob.say(ann, "The door code is 4711");
  const { hers, his } = await bothChat({ ann, bob }, open);
  await choose(hers, "The door code", "Star");
  await hers.byRole("article", /, starred$/);
  await choose(hers, "The door code", "Pin");
  await his.byRole("button", "Pinned message: The door code is 4711");
  await choose(hers, "The door code", "Forward");
  await hers.click("checkbox", bob.name);
  await hers.click("button", "Forward");
  await his.byRole("article", /, forwarded$/);
});

test("formats are drawn, and a draft goes on in the second window of its writer", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  const [first, second] = await Promise.all([open(), open()]);
  await Promise.all([first.logIn(ann, `/home/${bob.id}`), second.logIn(ann, `/home/${bob.id}`)]);
  await first.type("Message...", "*See you*");
  const field = await second.byPlaceholder("Message...");
  await expect.poll(() => field.getAttribute("value")).toBe("*See you*");
  await second.send(" at _eight_");
  await first.sees("See you at eight");
  expect(await first.run("return document.querySelector('[role=log] strong').textContent")).toBe("See you");
  await expect.poll(async () => (await first.byPlaceholder("Message...")).getAttribute("value")).toBe("");
});

test("the layout goes from right to left when the settings say so", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  await bob.say(ann, "Hello Ann");
  const window = await open();
  await window.logIn(ann, `/home/${bob.id}`);
  const left = async (role: string, name?: string) => (await (await window.byRole(role, name)).getRect()).x;
  expect(await left("navigation", "Friends")).toBeLessThan(await left("log"));
  await window.click("button", /account/i);
  await window.click("menuitem", "Settings");
  await window.click("radio", "Right to left");
  await expect.poll(() => window.run("return document.documentElement.dir")).toBe("rtl");
  await window.driver.navigate().refresh();
  await window.sees("Hello Ann");
  expect(await left("navigation", "Friends")).toBeGreaterThan(await left("log"));
  expect(await window.run("return document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});
