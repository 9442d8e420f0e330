import { isPink } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

test.describe("search", () => {
  test("opens the thread of a message result, scrolls to the message and highlights it for 3 seconds", async ({
    newPair,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    const filler = (from: number) => Array.from({ length: 30 }, (_, index) => `filler ${from + index}`);
    await bob.say(ann, ...filler(0), "the needle", ...filler(30));
    const person = await enter(ann, { prepare: ({ page }) => page.clock.install() });
    const { page } = person;
    await person.search("needle");
    const result = page.getByRole("region", { name: "Messages" }).getByText("the needle");
    await expect(result).toBeVisible();
    // Slightly ahead of the page's current time.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    await result.click();
    const bubble = person.message("the needle");
    const isHighlighted = () => bubble.evaluate((element) => element.matches("[data-highlighted]"));
    await expect(bubble).toBeInViewport();
    await expect.poll(isHighlighted).toBe(true);
    expect(await isPink(bubble.locator("> div > div").first(), "outline-color")).toBe(true);
    await page.clock.runFor(2_990);
    expect(await isHighlighted()).toBe(true);
    await page.clock.runFor(10);
    await expect.poll(isHighlighted).toBe(false);
  });
});
