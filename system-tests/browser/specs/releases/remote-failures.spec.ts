import type { Locator, Page, Route } from "@playwright/test";
import { Person } from "../../support/person.ts";
import { changePointer, type RemoteName } from "../../support/pointers.ts";
import { expect, test } from "../../support/test.ts";

/** Deadline for the page of a remote or for Retry. */
const DEADLINE_MS = 8000;
// The gateway's headers.
const HTML = { contentType: "text/html", headers: { "x-content-type-options": "nosniff" }, body: "<html>" };
const SCRIPT = { contentType: "application/javascript", body: "throw new Error('broken on purpose')" };

interface Remote {
  name: RemoteName;
  path: string;
  content: (page: Page) => Locator;
}

const REMOTES: Remote[] = [
  { name: "mfe_auth", path: "/login", content: (page) => page.getByPlaceholder("Username") },
  { name: "mfe_chat", path: "/home", content: (page) => page.getByPlaceholder("Search") },
];

interface File {
  what: string;
  /** Path of the file in the remote's folder. The manifest is part of the pointer and needs no request. */
  path: string;
  /** The response of a broken file. */
  broken: Parameters<Route["fulfill"]>[0];
  /** The pointer in the page; the shell fetches it only if this one is invalid. */
  inlined?: (pointer: object) => string;
}

/** The files from which a page of a remote loads, in order. */
const FILES: File[] = [
  { what: "pointer", path: "current\\.json", broken: HTML, inlined: () => "" },
  { what: "manifest", path: "current\\.json", broken: { json: { manifest: {} } }, inlined: withManifest({}) },
  { what: "entry", path: "[^/]+/remoteEntry\\.\\w+\\.js", broken: SCRIPT },
  { what: "chunk", path: "[^/]+/__federation_expose_\\w+\\.\\w+\\.js", broken: SCRIPT },
  { what: "stylesheet", path: "[^/]+/[^/]+\\.css", broken: HTML },
];

function withManifest(manifest: unknown) {
  return (pointer: object) => JSON.stringify({ ...pointer, manifest });
}

const FAILURES = {
  missing: (route: Route) => route.fulfill({ status: 404, body: "Not found" }),
  broken: (route: Route, { broken }: File) => route.fulfill(broken),
  hanging: () => undefined,
};

const retryIn = (page: Page) => page.getByRole("button", { name: "Retry" });

for (const remote of REMOTES) {
  for (const [kind, fail] of Object.entries(FAILURES)) {
    // The shell loads every remote in the same way.
    if (remote.name === "mfe_chat" && kind !== "missing") continue;
    test(`${remote.name}: shows Retry in time for each file that is ${kind}, and recovers without a reload`, async ({
      browser,
      newUser,
    }) => {
      const user = await newUser("Ann");
      /**
       * Waits with a clock that passes only here, because five pages that load at once may be slower than the deadline.
       */
      const until = (page: Page, isDone: () => Promise<boolean>, what: string) =>
        expect
          .poll(
            async () => {
              await page.clock.runFor(25);
              return isDone();
            },
            { message: what, intervals: [25], timeout: 60_000 },
          )
          .toBe(true);

      async function tryFile(file: File): Promise<void> {
        const person =
          remote.name === "mfe_chat"
            ? await Person.loggedIn(browser, user)
            : new Person(await browser.newPage(), "a visitor");
        const { page } = person;
        await page.clock.install();
        await page.clock.pauseAt(Date.now() + 1_000);
        const pattern = new RegExp(`/${remote.name.replace("_", "-")}/${file.path}$`);
        if (file.inlined) await changePointer(page, remote.name, file.inlined);
        await page.route(pattern, (route) => fail(route, file));
        await page.goto(remote.path, { waitUntil: "commit" });
        // The shell requests the page of the remote from here on.
        const frame = page.locator("[class*=shell__frame]");
        await until(page, async () => (await frame.count()) > 0, `${file.what}: the shell`);
        await page.evaluate(() => Object.assign(window, { isSamePage: true }));
        if (kind === "hanging") await page.clock.runFor(DEADLINE_MS);
        await until(page, () => retryIn(page).isVisible(), `${file.what}: Retry`);
        await page.unrouteAll();
        await retryIn(page).click();
        await until(page, () => remote.content(page).isVisible(), `${file.what}: recovery`);
        expect(await page.evaluate(() => "isSamePage" in window), `${file.what}: reload`).toBe(true);
        await person.close();
      }

      await Promise.all(FILES.map(tryFile));
    });
  }
}

test("keeps the login working while mfe-chat is down", async ({ page, newUser }) => {
  const user = await newUser("Ann");
  await page.route("**/mfe-chat/**", (route) => route.abort());
  await page.goto("/login");
  await page.getByPlaceholder("Username").fill(user.name);
  await page.getByPlaceholder("Password").fill("a long password");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL("/home");
  await expect(retryIn(page)).toBeVisible();
  await page.unrouteAll();
  await retryIn(page).click();
  await expect(page.getByText(`Hi ${user.name}!`)).toBeVisible();
});

test("keeps the chat working while mfe-auth is down", async ({ newPair, enter }) => {
  const { ann, bob } = await newPair();
  const person = await enter(ann, {
    path: `/home/${bob.id}`,
    prepare: ({ page }) => page.route("**/mfe-auth/**", (route) => route.abort()),
  });
  await person.send("Still here");
  await person.sees("Still here");
  await person.openAccountMenu();
  await person.page.getByText("Log out", { exact: true }).click();
  await expect(person.page).toHaveURL("/login");
  await expect(retryIn(person.page)).toBeVisible();
});

for (const [what, change] of [
  ["does not expose a page", { exposes: ["./LoginPage"] }],
  ["needs props that no shell passes yet", { pageProps: 99 }],
] as const) {
  test(`a release that ${what} affects only its own pages`, async ({ page }) => {
    await changePointer(page, "mfe_auth", (pointer) =>
      JSON.stringify({ ...pointer, contract: { ...pointer.contract, ...change } }),
    );
    // Firefox passes an error on without its message.
    await page.addInitScript(() => {
      const { error } = console;
      console.error = (...parts) => error(parts.join(" "));
    });
    const reasons: string[] = [];
    page.on("console", (entry) => reasons.push(entry.text()));
    await page.goto("/register");
    await expect(retryIn(page)).toBeVisible();
    expect(reasons.join("\n")).toContain("is incompatible with this shell");
    await page.goto("/");
    await page.getByRole("button", { name: "Log in" }).click();
    if ("exposes" in change) await expect(page.getByPlaceholder("Username")).toBeVisible();
    else await expect(retryIn(page)).toBeVisible();
  });
}
