import type { Person } from "../../support/person.ts";
import { expect, type Pair, test } from "../../support/test.ts";

const COUNT = 1_500;
const NEEDLE = 40;

/** Returns the position of each visible message by its text. */
const positions = (person: Person) =>
  person.log.evaluate((log) =>
    Object.fromEntries(
      [...log.querySelectorAll("article")].map((row) => [
        row.querySelector("[dir=auto]")?.textContent ?? "",
        row.getBoundingClientRect().top,
      ]),
    ),
  );

/** Scrolls near the start of the loaded messages and returns the position two frames later. */
const scrollNearStart = (person: Person) =>
  person.log.evaluate(async (log) => {
    log.scrollTo(0, Math.min(log.scrollTop, 900));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return log.scrollTop;
  });

test.describe("a thread of 1,500 messages", () => {
  test.describe.configure({ mode: "serial" });
  let pair: Pair;
  test.afterAll(() => pair.bob.close());

  test("opens at its newest message with a screenful of rows in the page", async ({ newPair, enter }) => {
    pair = await newPair();
    const texts = Array.from({ length: COUNT }, (_, index) => `message ${index + 1}`);
    texts[NEEDLE] = "the needle in the haystack";
    await pair.bob.say(pair.ann, ...texts);
    await pair.ann.call("PUT", "/update_message_read", { thread_id: pair.threadId });
    const person = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
    await expect(person.message(`message ${COUNT}`)).toBeInViewport();
    expect(await person.log.getByRole("article").count()).toBeLessThan(120);
  });

  test("stays at its newest message when a selection begins", async ({ enter }) => {
    const person = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
    const { page } = person;
    const newest = person.message(`message ${COUNT}`);
    await newest.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Select" }).click();
    await expect(page.getByText("1 selected")).toBeVisible();
    await expect(newest).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Jump to latest" })).toBeHidden();
  });

  test("pages back without moving the reading position by a pixel", async ({ enter }) => {
    const person = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
    await expect(person.message(`message ${COUNT}`)).toBeInViewport();
    const pages: string[] = [];
    person.page.on("request", (request) => void (/before_seq=/.test(request.url()) && pages.push(request.url())));
    for (let page = 0; page < 4; page += 1) {
      const loaded = person.page.waitForResponse(/before_seq=/);
      // A list that has just opened may still scroll.
      await expect(async () => expect(await scrollNearStart(person)).toBeLessThan(1_000)).toPass();
      const before = await positions(person);
      await loaded;
      await expect.poll(() => person.log.evaluate((log) => log.scrollTop)).toBeGreaterThan(1_000);
      const after = await positions(person);
      const shared = Object.keys(before).filter((text) => text in after);
      expect(shared.length).toBeGreaterThan(3);
      for (const text of shared)
        expect([text, Math.abs((after[text] ?? 0) - (before[text] ?? 0)) < 1]).toEqual([text, true]);
    }
    // One per scroll, and a scroll may be repeated.
    expect(pages.length).toBeLessThan(8);
  });

  test("jumps to a message deep in history and highlights it, twice in a row", async ({ enter }) => {
    const person = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
    await person.search("needle in the hay");
    const result = person.page.getByRole("region", { name: "Messages" }).getByRole("button");
    const bubble = person.message("the needle in the haystack");
    for (const time of ["first", "second"]) {
      await test.step(`the ${time} time`, async () => {
        await result.click();
        await expect(bubble).toBeInViewport();
        await expect(bubble).toHaveAttribute("data-highlighted");
        // A list that has just jumped may still scroll.
        await expect(async () => {
          await person.log.evaluate((log) => log.scrollBy(0, 1_500));
          await expect(bubble).not.toBeInViewport({ timeout: 500 });
        }).toPass();
      });
    }
    await test.step("back to the newest message", async () => {
      await person.page.getByRole("button", { name: /Jump to latest/ }).click();
      await expect(person.message(`message ${COUNT}`)).toBeInViewport();
    });
  });

  test("finds more than 50 messages while the results are scrolled", async ({ enter }) => {
    const person = await enter(pair.ann);
    await person.search("message");
    const results = person.page.getByRole("region", { name: "Messages" }).getByRole("button");
    await expect(results).toHaveCount(50);
    await results.last().scrollIntoViewIfNeeded();
    await expect(results).toHaveCount(100);
  });

  test("shows the day of the first visible message above the list while it scrolls", async ({ enter }) => {
    const person = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
    await expect(person.message(`message ${COUNT}`)).toBeInViewport();
    // The message may be from before midnight.
    const day = person.page.locator("[aria-hidden=true]").getByText(/^(Today|Yesterday)$/);
    await expect(day).toBeInViewport();
    await expect(person.log.getByRole("heading")).not.toBeInViewport();
  });

  for (const [reducedMotion, text] of [
    ["reduce", "calm"],
    ["no-preference", "unread"],
  ] as const) {
    test(`opens at the first unread message with a line above it, motion ${reducedMotion}`, async ({ enter }) => {
      await pair.ann.call("PUT", "/update_message_read", { thread_id: pair.threadId });
      await pair.bob.say(pair.ann, ...Array.from({ length: 40 }, (_, index) => `${text} ${index + 1}`));
      const person = await enter(pair.ann, { reducedMotion });
      const older = person.page.waitForResponse(/before_seq=/);
      await person.openThread(pair.bob);
      await older;
      const line = person.log.getByText("40 new messages", { exact: true });
      await expect(line).toBeInViewport();
      await expect(person.message(`${text} 1`)).toBeInViewport();
      await expect(person.message(`${text} 40`)).not.toBeInViewport();
      const [lineBox, messageBox] = [await line.boundingBox(), await person.message(`${text} 1`).boundingBox()];
      expect(lineBox?.y ?? 0).toBeLessThan(messageBox?.y ?? 0);
    });
  }

  test("counts new messages below and jumps to the first of them, then to the newest", async ({ enter }) => {
    // The page of the previous test can end before it has marked the thread as read.
    await pair.ann.call("PUT", "/update_message_read", { thread_id: pair.threadId });
    const person = await enter(pair.ann, {
      path: `/home/${pair.bob.id}`,
      prepare: ({ page }) => page.clock.install(),
    });
    await expect(person.message("unread 40")).toBeInViewport();
    await person.log.hover();
    // A list that has just opened returns to its end while rows are measured, until a timer ends that.
    await expect(async () => {
      await person.page.mouse.wheel(0, -2_000);
      await person.page.clock.runFor(1_000);
      await expect(person.page.getByRole("button", { name: "Jump to latest" })).toBeVisible({ timeout: 500 });
      await expect(person.message("unread 40")).not.toBeInViewport({ timeout: 500 });
    }).toPass();
    await pair.bob.say(pair.ann, ...Array.from({ length: 30 }, (_, index) => `below ${index + 1}`));
    const jump = person.page.getByRole("button", { name: "Jump to the first new message, 30 new messages" });
    await jump.click();
    await expect(person.message("below 1")).toBeInViewport();
    await person.page.getByRole("button", { name: /Jump to latest/ }).click();
    await expect(person.message("below 30")).toBeInViewport();
  });
});

test("loads what is before messages that the user has hidden, without a scroll", async ({ newPair, enter }) => {
  const { ann, bob, threadId } = await newPair();
  await bob.say(ann, ...Array.from({ length: 200 }, (_, index) => `message ${index + 1}`));
  await ann.call("PUT", "/update_message_read", { thread_id: threadId });
  for (let seq = 80; seq < 200; seq += 1)
    await ann.call("PUT", `/messages/${ann.id}/${threadId}/${seq}/hidden`, { hidden: true });
  const person = await enter(ann, { path: `/home/${bob.id}` });
  await expect(person.message("message 200")).toBeInViewport();
  await expect(person.message("message 79")).toBeInViewport();
  await bob.close();
});
