import type { Message } from "@messageoh/contracts/messages";
import type { Page } from "@playwright/test";
import { isKept } from "../../support/offline.ts";
import type { Person } from "../../support/person.ts";
import { builtFrom, command, liveRelease, served } from "../../support/releasing.ts";
import { expect, test } from "../../support/test.ts";

const CHAT = "mfe-chat";

/** Returns a build of mfe-chat with another greeting. */
function friendlierChat(): string {
  let changes = 0;
  const dist = builtFrom(CHAT, (_, content) =>
    content.replaceAll(/"Hi "/g, () => {
      changes += 1;
      return '"Hello "';
    }),
  );
  expect(changes).toBe(1);
  return dist;
}

/** Dispatches the event of a page that becomes visible, and waits until it has looked for other releases. */
async function comeBack(page: Page): Promise<void> {
  const looked = [CHAT, "shell"].map((frontend) => page.waitForResponse(`**/${frontend}/current.json`));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  for (const response of await Promise.all(looked)) await response.finished();
}
const noticeIn = (page: Page) => page.getByText("A new version is ready");

/** Makes a release live again. */
async function restore(frontend: string, release: string): Promise<void> {
  if (liveRelease(frontend) === release) return;
  const { code, output } = await command("rollback", frontend, release);
  expect(code, output).toBe(0);
}

let before: string;
let shellBefore: string;
test.beforeEach(() => {
  before = liveRelease(CHAT);
  shellBefore = liveRelease("shell");
});
test.afterEach(async () => {
  expect((await command("canary", CHAT, "end")).output).toMatch(/has no canary|is no longer a canary/);
  await restore(CHAT, before);
  await restore("shell", shellBefore);
});

/** Waits until the service worker controls the page. */
async function control({ page }: Person): Promise<void> {
  await expect(page.getByText(/^Hi /)).toBeVisible();
  await isKept(page);
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

test("changes no other front end; an open page offers the release and keeps drafts and unsent messages", async ({
  newPair,
  enter,
  baseURL,
}) => {
  const readOthers = async () => [await served(baseURL ?? "", "shell"), await served(baseURL ?? "", "mfe-auth")];
  const { ann, bob, threadId } = await newPair();
  const person = await enter(ann, {
    serviceWorkers: "allow",
    path: `/home/${bob.id}`,
    prepare: ({ page }) => page.route("**/socket.io/**", (route) => route.abort()),
  });
  const { page } = person;
  await control(person);
  await person.send("written before the release");
  await expect(person.message("written before the release").getByRole("img", { name: "Sending" })).toBeVisible();
  await person.composer.fill("half a thought");
  const others = await readOthers();
  expect(Object.keys(others[0] ?? {}).length).toBeGreaterThan(5);

  const { output } = await command("release", CHAT, "--dist", friendlierChat());
  expect(output).toContain("smoke test in the live shell");
  expect(output).toContain(`${liveRelease(CHAT)} is live, it replaces ${before}`);
  expect(await readOthers()).toEqual(others);

  await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  await expect(noticeIn(page)).toHaveCount(0);
  await comeBack(page);
  await expect(noticeIn(page)).toBeVisible();
  await test.step("the notice is announced and does not cover the composer on a phone", async () => {
    await expect(page.getByRole("status").filter({ has: noticeIn(page) })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    const notice = await page.getByRole("button", { name: "Reload" }).boundingBox();
    const composer = await person.composer.boundingBox();
    expect((notice?.y ?? 844) + (notice?.height ?? 0)).toBeLessThan(composer?.y ?? 0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await page.unrouteAll();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByText(`Hello ${ann.name}!`)).toBeVisible();
  await expect(person.composer).toHaveValue("half a thought");
  const texts = async () =>
    ((await ann.call("GET", `/messages/${ann.id}?thread_id=${threadId}`)).body as Message[]).map(({ text }) => text);
  await expect.poll(texts).toContain("written before the release");
  await expect(noticeIn(page)).toHaveCount(0);

  await test.step("a rollback is offered too and can be declined", async () => {
    expect((await command("rollback", CHAT)).output).toContain(`${before} is live again`);
    await comeBack(page);
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(noticeIn(page)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  });
});

test("serves a canary to its share of the browsers until it is ended or promoted", async ({ newUser, enter }) => {
  const ann = await newUser("Ann");
  const enterWithBucket = async (bucket: number) => {
    const person = await enter(ann, {
      serviceWorkers: "allow",
      prepare: ({ page }) =>
        page.addInitScript((value) => localStorage.setItem("messageoh:rollout:mfe_chat", value), String(bucket)),
    });
    await control(person);
    return person.page;
  };
  const [inside, outside] = [await enterWithBucket(9), await enterWithBucket(11)];
  const { output } = await command("canary", CHAT, "10", "--no-smoke", "--dist", friendlierChat());
  expect(output).toContain("is live for 10 % of the browsers");
  for (const page of [inside, outside]) await page.reload();
  await expect(inside.getByText(`Hello ${ann.name}!`)).toBeVisible();
  await expect(outside.getByText(`Hi ${ann.name}!`)).toBeVisible();
  await inside.reload();
  await expect(inside.getByText(`Hello ${ann.name}!`)).toBeVisible();
  expect((await command("releases")).output).toContain("canary for 10 %");

  expect((await command("canary", CHAT, "promote")).code).toBe(0);
  await comeBack(outside);
  await outside.getByRole("button", { name: "Reload" }).click();
  await expect(outside.getByText(`Hello ${ann.name}!`)).toBeVisible();
  await comeBack(inside);
  await expect(noticeIn(inside)).toHaveCount(0);
});

for (const serviceWorkers of ["block", "allow"] as const) {
  test(`a release and a rollback of the shell reach the browser with the next load, service worker: ${serviceWorkers}`, async ({
    newUser,
    enter,
  }) => {
    const person = await enter(await newUser("Ann"), { serviceWorkers });
    const { page } = person;
    await expect(page.getByText(/^Hi /)).toBeVisible();
    if (serviceWorkers === "allow") await control(person);
    const dist = builtFrom("shell", (file, content) =>
      file === "index.html" ? content.replace("<title>Messageoh", "<title>Messageoh again") : content,
    );
    expect((await command("release", "shell", "--no-smoke", "--dist", dist)).code).toBe(0);
    await page.reload();
    await expect(page.getByText(/^Hi /)).toBeVisible();
    const titleOf = () =>
      page.evaluate(async () => /<title>(.*?)</.exec(await (await fetch(location.href)).text())?.[1]);
    const shownRelease = () =>
      page.evaluate(() => JSON.parse(document.getElementById("pointer-shell")?.textContent ?? "{}").release);
    expect(await shownRelease()).not.toBe(shellBefore);
    expect(await titleOf()).toBe("Messageoh again");
    await restore("shell", shellBefore);
    await page.reload();
    await expect(page.getByText(/^Hi /)).toBeVisible();
    expect(await shownRelease()).toBe(shellBefore);
  });
}

test("rejects a release that is incompatible with the live shell or fails in it, with the reason", async () => {
  const incompatible = builtFrom(CHAT, (file, content) =>
    file === "mf-manifest.json" ? content.replace('"pageProps": 1', '"pageProps": 99') : content,
  );
  const refused = await command("release", CHAT, "--dist", incompatible);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("its pages need page props 99, the shell passes 1");

  const broken = builtFrom(CHAT, (file, content) =>
    file.startsWith("__federation_expose_") ? `throw new Error("broken on purpose");${content}` : content,
  );
  const failed = await command("release", CHAT, "--dist", broken);
  expect(failed.code).toBe(1);
  expect(failed.output).toContain("broken on purpose");
  expect(liveRelease(CHAT)).toBe(before);
});
