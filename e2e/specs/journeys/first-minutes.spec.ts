import type { Locator } from "@playwright/test";
import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Taps one element after the other and returns how many taps that took. A text goes to the focused field. */
async function taps(...steps: readonly (Locator | string)[]): Promise<number> {
  let last: Locator | undefined;
  for (const step of steps) {
    if (typeof step === "string") await last?.page().keyboard.insertText(step);
    else await step.tap();
    last = typeof step === "string" ? last : step;
  }
  return steps.filter((step) => typeof step !== "string").length;
}

test.describe("on a phone, a newcomer needs few taps", () => {
  test("to register", async ({ browser }) => {
    const page = await (await browser.newContext(PHONE)).newPage();
    await page.goto("/");
    const name = uniqueName("New");
    const count = await taps(
      page.getByRole("link", { name: "Register" }),
      page.getByPlaceholder("Username e.g. Albus212"),
      name,
      page.getByPlaceholder("Password"),
      "a long password",
      page.getByRole("radio", { name: "Koala" }),
      page.getByRole("button", { name: "Register" }),
    );
    await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
    expect(count).toBe(5);
    await page.context().close();
  });

  test("to add somebody by a link, find a message, block and change the appearance", async ({
    newPair,
    newUser,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    const cid = await newUser("Cid");
    await bob.say(ann, "the needle in the hay");
    const { token } = (await cid.call("GET", `/users/${cid.id}/invite`)).body as { token: string };
    const { page, log } = await enter(ann, { ...PHONE, path: `/home?invite=${token}` });

    const added = await taps(page.getByRole("button", { name: "Confirm" }));
    await expect(page.getByRole("heading", { name: cid.name })).toBeVisible();
    await page.getByRole("button", { name: "Back" }).tap();

    const found = await taps(
      page.getByPlaceholder("Search"),
      "needle",
      page.getByRole("region", { name: "Messages" }).getByRole("button"),
    );
    await expect(log.locator("[data-highlighted]")).toBeInViewport();
    await page.getByRole("button", { name: "Back" }).tap();
    await page.getByRole("button", { name: "Clear" }).tap();

    const changed = await taps(
      page.getByRole("button", { name: "Your avatar and account menu" }),
      page.getByRole("menuitem", { name: "Settings" }),
      page.getByRole("radio", { name: "Dark" }),
    );
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.getByRole("button", { name: "Back" }).tap();

    const blocked = await taps(
      page.getByRole("navigation", { name: "Friends" }).getByRole("link", { name: bob.name }),
      page.getByRole("button", { name: `Menu of the thread with ${bob.name}` }),
      page.getByRole("menuitem", { name: "Block" }),
      page.getByRole("dialog").getByRole("button", { name: "Block" }),
    );
    await expect(page.getByRole("navigation", { name: "Friends" }).getByRole("link", { name: bob.name })).toHaveCount(
      0,
    );
    expect({ added, found, changed, blocked }).toEqual({ added: 1, found: 2, changed: 3, blocked: 4 });
  });
});
