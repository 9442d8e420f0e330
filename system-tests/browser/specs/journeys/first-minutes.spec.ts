import type { Locator } from "@playwright/test";
import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

/** Taps one element after the other. A text goes to the field that has the focus then. */
async function tap(...steps: readonly (Locator | string)[]): Promise<void> {
  let last: Locator | undefined;
  for (const step of steps) {
    if (typeof step === "string") await last?.page().keyboard.type(step);
    else await step.click();
    last = typeof step === "string" ? last : step;
  }
}

test.describe("on a phone, a newcomer", () => {
  test("registers with five taps", async ({ browser }) => {
    const page = await (await browser.newContext(PHONE)).newPage();
    await page.goto("/");
    const name = uniqueName("New");
    await tap(
      page.getByRole("button", { name: "Register" }),
      page.getByPlaceholder("Username e.g. Albus212"),
      name,
      page.getByPlaceholder("Password"),
      "a long password",
      page.getByRole("radio", { name: "Koala" }),
      page.getByRole("button", { name: "Register" }),
    );
    await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
    await page.context().close();
  });

  test("adds somebody by a link with one tap", async ({ newUser, enter }) => {
    const [ann, cid] = await Promise.all([newUser("Ann"), newUser("Cid")]);
    const { token } = (await cid.call("GET", `/users/${cid.id}/invite`)).body as { token: string };
    const { page } = await enter(ann, { ...PHONE, path: `/home?invite=${token}` });
    await tap(page.getByRole("button", { name: "Confirm" }));
    await expect(page.getByRole("heading", { name: cid.name })).toBeVisible();
  });

  test("finds a message with two taps", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "the needle in the hay");
    const { page, log } = await enter(ann, PHONE);
    await tap(
      page.getByPlaceholder("Search"),
      "needle",
      page.getByRole("region", { name: "Messages" }).getByRole("button"),
    );
    await expect(log.locator("[data-highlighted]")).toBeInViewport();
  });

  test("blocks a friend with four taps", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const { page } = await enter(ann, PHONE);
    await tap(
      page.getByRole("link", { name: bob.name }),
      page.getByRole("button", { name: `Menu of the thread with ${bob.name}` }),
      page.getByRole("menuitem", { name: "Block" }),
      page.getByRole("dialog").getByRole("button", { name: "Block" }),
    );
    await expect(page.getByText("No friends here yet...")).toBeVisible();
  });

  test("changes the theme with two taps", async ({ newUser, enter }) => {
    const { page } = await enter(await newUser("Ann"), PHONE);
    await tap(
      page.getByRole("button", { name: "Your avatar and account menu" }),
      page.getByRole("menuitem", { name: "Dark theme" }),
    );
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });
});
