import type { Locator } from "@playwright/test";
import { expect, test } from "../../support/test.ts";

/** Overrides the reading direction until the end of the text. */
const OVERRIDE = "\u202e";

const TEXTS = [
  "<script>window.taken = true</script> script",
  '<img src="x" onerror="window.taken = true"> image',
  "<b>bold</b> & <i>italic</i> &lt;escaped&gt;",
  "javascript:window.taken=true javascript://%0awindow.taken=true link",
  "data:text/html,<script>window.taken=true</script> page",
  `${OVERRIDE}turned round`,
  "zero\u200bwidth\u200djoined\ufeffmarks",
];

const linksIn = (locator: Locator) =>
  locator.getByRole("link").evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));

test("shows markup as text in messages, names, previews and search", async ({ newUser, enter }) => {
  const [ann, bob] = await Promise.all([newUser("\u05d0\u05e0\u05d4"), newUser("<img src=x><b>")]);
  const emoji = "🦊".repeat(4_000);
  const link = "See https://example.com/?a=<b> now";
  await bob.say(ann, ...TEXTS, link);
  const person = await enter(ann, { path: `/home/${bob.id}` });
  const { page, log } = person;
  const bubbles = log.getByRole("article").locator("[dir=auto]");
  const shown = () => bubbles.evaluateAll((all) => all.map(({ textContent }) => textContent));

  await test.step("messages", async () => {
    await expect.poll(shown).toEqual([...TEXTS, link]);
    // Links appear once the code that finds them is loaded.
    await expect.poll(() => linksIn(log)).toEqual([expect.stringMatching(/^https:\/\/example\.com\//)]);
    await expect(bubbles.locator("> div")).toHaveCount(TEXTS.length + 1);
    await expect(bubbles.locator("> div *:not(a)")).toHaveCount(0);
    await bob.say(ann, emoji);
    await expect.poll(async () => (await shown()).at(-1)).toBe(emoji);
  });

  await test.step("names, which do not change the direction of other text", async () => {
    await expect(person.entry(bob)).toContainText(bob.name);
    const greeting = page.getByRole("heading", { name: `Hi ${ann.name}!` });
    const isInOrder = await greeting.evaluate((heading) => {
      const mark = document.createRange();
      mark.selectNodeContents(heading.lastChild as Node);
      const name = heading.querySelector("bdi") as Element;
      return name.getBoundingClientRect().right <= mark.getBoundingClientRect().left + 1;
    });
    expect(isInOrder).toBe(true);
  });

  await test.step("search results, with the match in bold", async () => {
    await person.search("<b>bold");
    const result = page.getByRole("button").filter({ hasText: "italic" });
    await expect(result.locator("b")).toHaveText("<b>bold");
    await expect(result.locator("i")).toHaveCount(0);
  });

  expect(await page.evaluate(() => "taken" in window)).toBe(false);
});
