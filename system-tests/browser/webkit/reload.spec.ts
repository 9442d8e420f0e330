import { readDevice } from "../support/offline.ts";
import { expect, test } from "./support/test.ts";

// A page that is being left must not ask for its locks for ever, which would keep a reload from ending.
test("a reload ends while the user is logged in, also in a second tab", async ({ open, pairAt }) => {
  const { ann, bob } = await pairAt();
  const window = await open();
  await window.logIn(ann);
  const first = await window.driver.getWindowHandle();
  await window.driver.switchTo().newWindow("tab");
  await window.goto("/home");
  await window.sees(`Hi ${ann.name}!`);
  await window.driver.navigate().refresh();
  await window.sees(`Hi ${ann.name}!`);
  await window.driver.switchTo().window(first);
  await window.driver.navigate().refresh();
  await window.openThread(bob);
  await window.send("after the reload");
  await window.byRole("img", "Sent");
});

test("the app opens while the server is away, and sends later what is written", async ({ open, pairAt, relay }) => {
  const { ann, bob, threadId } = await pairAt();
  await bob.say(ann, "before the outage");
  const window = await open();
  await window.logIn(ann, `/home/${bob.id}`);
  await window.sees("before the outage");
  const device = () => window.run<Record<string, string[]> | null>(`return (${readDevice})()`).catch(() => null);
  await expect.poll(async () => (await device())?.[threadId]).toContain("before the outage");
  await expect.poll(() => window.run("return caches.match('/').then(Boolean)"), { timeout: 30_000 }).toBe(true);
  await relay.stop();
  await window.driver.navigate().refresh();
  await window.sees("The server does not respond. This is what is stored on this device.");
  await window.sees("before the outage");
  await window.send("during the outage");
  await window.driver.navigate().refresh();
  await window.sees("during the outage");
  await relay.start();
  const his = await open();
  await his.logIn(bob, `/home/${ann.id}`);
  await his.sees("during the outage");
});
