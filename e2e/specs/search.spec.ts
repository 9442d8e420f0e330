import { pauseClock } from "../support/clock.ts";
import { isPink } from "../support/looks.ts";
import { expect, test } from "../support/test.ts";

test.describe("search", () => {
  test("groups friends under Contacts and messages under Messages, with the match in bold", async ({
    newPair,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Shall we meet Bobby the Fox tomorrow?", "something else");
    const person = await enter(ann);
    const { page } = person;
    await person.search("bob");
    const contacts = page.getByRole("region", { name: "Contacts" });
    const messages = page.getByRole("region", { name: "Messages" });
    await expect(contacts.getByRole("heading", { name: "Contacts", exact: true })).toBeVisible();
    await expect(contacts.getByText(bob.name, { exact: true })).toBeVisible();
    await expect(messages.getByRole("heading", { name: "Messages", exact: true })).toBeVisible();
    await expect(messages.getByRole("button")).toHaveCount(1);
    await expect(messages.getByText("Shall we meet Bobby the Fox tomorrow?")).toBeVisible();
    await expect(messages.locator("b")).toHaveText("Bob");
    await test.step("a contact opens its thread", async () => {
      await contacts.getByText(bob.name).click();
      await person.sitsInThreadWith(bob);
      await person.sees("something else");
    });
  });

  test("is applied 300 ms after typing pauses", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann, { prepare: ({ page }) => page.clock.install() });
    const { page } = person;
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      const text = new URL(request.url()).searchParams.get("search");
      if (text !== null) asked.push(text);
    });
    const box = page.getByPlaceholder("Search");
    await expect(person.entry(bob)).toBeVisible();
    await pauseClock(page);
    await box.pressSequentially("fo");
    await page.clock.runFor(299);
    await box.press("x");
    await page.clock.runFor(299);
    await expect(page.getByRole("heading", { name: "Messages" })).toHaveCount(0);
    expect(asked).toEqual([]);
    await page.clock.runFor(1);
    await expect(page.getByText("No result for 'fox'")).toBeVisible();
    expect(asked).toEqual(["fox"]);
  });

  test("says when there is no result", async ({ newPair, enter }) => {
    const { ann } = await newPair();
    const person = await enter(ann);
    await person.search("qzqz");
    await expect(person.page.getByText("No result for 'qzqz'", { exact: true })).toBeVisible();
    await expect(person.page.getByRole("heading", { name: /Contacts|Messages/ })).toHaveCount(0);
    await person.search("");
    await expect(person.page.getByText(/No result/)).toHaveCount(0);
  });

  test("an excerpt has 13 words around the match and dots where it is cut", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const words = Array.from({ length: 40 }, (_, index) => (index === 20 ? "needle" : `w${index}`));
    await bob.say(ann, words.join(" "));
    const person = await enter(ann);
    await person.search("NEEDLE");
    const found = "...w13 w14 w15 w16 w17 w18 w19 needle w21 w22 w23 w24 w25...";
    await expect(person.page.getByText(found, { exact: true })).toBeVisible();
  });

  test("a message result opens its thread, scrolls to it and highlights it for 3 seconds", async ({
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
    await pauseClock(page);
    await result.click();
    const bubble = person.message("the needle");
    const isHighlighted = () => bubble.evaluate((element) => element.matches("[data-highlighted]"));
    await expect(bubble).toBeInViewport();
    await expect.poll(isHighlighted).toBe(true);
    expect(await isPink(bubble.locator("> div").first(), "outline-color")).toBe(true);
    await page.clock.runFor(2_990);
    expect(await isHighlighted()).toBe(true);
    await page.clock.runFor(10);
    await expect.poll(isHighlighted).toBe(false);
  });
});
