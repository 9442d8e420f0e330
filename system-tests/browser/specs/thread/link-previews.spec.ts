import type { Locator } from "@playwright/test";
import { hasNoViolation } from "../../support/axe.ts";
import { bothChat, choose } from "../../support/messageMenu.ts";
import type { Person } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";
import { PAGE_TITLE, startWebSite } from "../../support/webSite.ts";

let site: Awaited<ReturnType<typeof startWebSite>>;
test.beforeEach(async () => {
  site = await startWebSite();
});
test.afterEach(() => site.close());

const offered = ({ page }: Person): Locator => page.getByRole("group", { name: "Link preview" });
const card = ({ log }: Person): Locator => log.getByRole("link", { name: PAGE_TITLE });

/** Turns link previews on in the settings. */
async function turnOn(person: Person): Promise<void> {
  const { page } = person;
  const privacy = await person.openSettings("Privacy");
  await privacy.getByRole("checkbox", { name: "Add previews to links that you send" }).check();
  await hasNoViolation(page, "the privacy settings");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("a link that the user has turned previews on for shows its page to both, and only the server visits it", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await turnOn(ann);
  const text = `Look: ${site.page}`;
  await ann.composer.fill(text);
  await expect(offered(ann)).toContainText(PAGE_TITLE);
  await hasNoViolation(ann.page, "the preview above the composer");
  await ann.composer.press("Enter");
  await expect(offered(ann)).toHaveCount(0);
  for (const person of [ann, bob]) {
    await expect(card(person)).toHaveText(`${PAGE_TITLE}localhost`);
    await expect(card(person)).toHaveAttribute("href", site.page);
    await expect(card(person)).toHaveAttribute("rel", "noopener noreferrer");
    const picture = card(person).locator("img");
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeTruthy();
  }
  await hasNoViolation(bob.page, "a card");
  expect(site.visits.map(({ path }) => path)).toEqual(["/herons", "/heron.png"]);
  expect(site.visits.every(({ userAgent }) => userAgent.includes("Messageoh link preview"))).toBe(true);

  await bob.page.reload();
  await expect(card(bob)).toBeVisible();
  await choose(ann, text, "Edit");
  await ann.composer.fill("Never mind");
  await ann.composer.press("Enter");
  for (const person of [ann, bob]) {
    await expect(person.message("Never mind")).toBeVisible();
    await expect(card(person)).toHaveCount(0);
  }
});

test("a preview is removed by keyboard, and a page without one holds no message back", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await turnOn(ann);
  await ann.composer.fill(site.page);
  await expect(offered(ann)).toBeVisible();
  await ann.page.bringToFront();
  await offered(ann).getByRole("button", { name: "Remove link preview" }).press("Enter");
  await expect(offered(ann)).toHaveCount(0);
  await expect(ann.composer).toBeFocused();
  await ann.composer.press("Enter");
  await bob.sees(site.page);
  const asked = ann.page.waitForResponse((response) => response.url().endsWith("/media/previews"));
  await ann.composer.fill(site.missing);
  expect(await (await asked).json()).toEqual({ preview: null });
  await expect(offered(ann)).toHaveCount(0);
  await ann.composer.press("Enter");
  await bob.sees(site.missing);
  await expect(card(bob)).toHaveCount(0);
});
