import type { Page } from "@playwright/test";
import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

declare global {
  var violations: string[];
}

/** Records violations of the Content Security Policy in every page of the tab. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) =>
      violations.push(`${effectiveDirective} ${blockedURI} ${sample}`),
    );
  });
const violationsOf = (page: Page) => page.evaluate(() => violations);

test("does not violate its own Content Security Policy", async ({ browser, newUser, enter }) => {
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await watch(visitor);
  await visitor.goto("/");
  await visitor.getByRole("button", { name: "Register" }).click();
  await visitor.getByPlaceholder("Username e.g. Albus212").fill(uniqueName("Cyd"));
  await visitor.getByPlaceholder("Password").fill("a long password");
  await visitor.getByRole("radio", { name: "Koala" }).click();
  await visitor.getByRole("button", { name: "Register" }).click();
  await expect(visitor.getByText(/^Hi Cyd/)).toBeVisible();
  expect(await violationsOf(visitor)).toEqual([]);
  await context.close();

  const [ann, bob] = [await newUser("Ann"), await newUser("Bob")];
  const person = await enter(ann, { prepare: ({ page }) => watch(page) });
  const { page } = person;
  await person.addFriend(bob);
  await person.send("look at https://example.org <b>now</b>");
  await person.search("look");
  await expect(page.getByRole("heading", { name: "Messages" })).toBeVisible();
  await person.openAccountMenu();
  await page.getByText("Change avatar", { exact: true }).click();
  await expect(page.getByRole("radio", { name: "Snake" })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});

test("blocks code from text, markup from text and scripts of other origins", async ({ page }) => {
  await watch(page);
  await page.goto("/");
  const outcome = await page.evaluate(async () => {
    const attempt = (act: () => unknown) => {
      try {
        act();
        return "done";
      } catch (error) {
        return (error as Error).name;
      }
    };
    return {
      handler: attempt(() => document.body.setAttribute("onclick", "alert(1)")),
      // In a timer, because scripts of Playwright may bypass the policy.
      code: await new Promise((resolve) => setTimeout(() => resolve(attempt(() => new Function("return 1"))))),
      markup: attempt(() => {
        document.body.innerHTML = "<img src=x>";
      }),
      script: attempt(() => {
        document.createElement("script").src = "https://evil.example/x.js";
      }),
      policy: attempt(() => window.trustedTypes?.createPolicy("mine", { createScriptURL: (url) => url })),
    };
  });
  expect((await violationsOf(page)).length).toBeGreaterThanOrEqual(5);
  expect(outcome).toEqual({
    handler: "TypeError",
    code: "EvalError",
    markup: "TypeError",
    script: "TypeError",
    policy: "TypeError",
  });
});
