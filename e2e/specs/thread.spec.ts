import { expect, test } from "../support/test.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test.describe("the thread", () => {
  test("has the friend's avatar and name above its messages", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Hello Ann");
    const person = await enter(ann);
    await person.openThread(bob);
    const header = person.page.getByRole("heading", { name: bob.name }).locator("xpath=ancestor::header");
    await expect(header.locator("img")).toHaveAttribute("src", /koala/);
    await person.sees("Hello Ann");
    await expect(person.message("Hello Ann").locator("time")).toHaveText("now");
  });

  test("without messages both lines stand with a sad jellyfish", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann);
    await person.openThread(bob);
    await expect(person.page.getByText("No messages here yet...", { exact: true })).toBeVisible();
    await expect(person.page.getByText("Don't be shy, send a message!", { exact: true })).toBeVisible();
    await expect(person.page.getByRole("img", { name: /sad jellyfish/i })).toBeVisible();
    await person.send("Hello");
    await person.sees("Hello");
    await expect(person.page.getByText("No messages here yet...")).toHaveCount(0);
  });

  test("keeps messages in the order of their times", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    for (const text of ["one", "two", "three"]) await bob.say(ann, text);
    await ann.say(bob, "four");
    const person = await enter(ann);
    await person.openThread(bob);
    await person.sees("four");
    await expect(person.log.locator("[dir=auto]")).toHaveText(["one", "two", "three", "four"]);
    await expect(person.log.getByRole("article", { name: "You" })).toHaveCount(1);
  });

  test("a time turns from now over minutes to the clock time at one hour, and stays", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Hello Ann");
    const person = await enter(ann, { prepare: ({ page }) => page.clock.install() });
    await person.openThread(bob);
    const time = person.message("Hello Ann").locator("time");
    const { clock } = person.page;
    await expect(time).toHaveText("now");
    await clock.fastForward("01:00");
    await expect(time).toHaveText("1 minute ago");
    await clock.fastForward("58:00");
    await expect(time).toHaveText("59 minutes ago");
    await clock.fastForward("01:00");
    const sent = new Date((await time.getAttribute("datetime")) ?? "");
    const clockTime = [sent.getHours(), sent.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
    await expect(time).toHaveText(clockTime);
    await clock.fastForward("05:00:00");
    await expect(time).toHaveText(clockTime);
  });

  test("messages stand under Today, Yesterday or their date", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Hello Ann");
    const today = Date.now();
    for (const [days, heading] of [
      [0, "Today"],
      [1, "Yesterday"],
      [2, /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}, \d{4}$/],
    ] as const) {
      const person = await enter(ann, {
        path: `/home/${bob.id}`,
        prepare: ({ page }) => page.clock.install({ time: today + days * DAY_MS }),
      });
      await person.sees("Hello Ann");
      await expect(person.log.getByRole("heading")).toHaveText(heading);
      await person.close();
    }
  });

  test("each day has one heading, above its messages", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "of yesterday");
    const tomorrow = Date.now() + DAY_MS;
    const person = await enter(ann, {
      path: `/home/${bob.id}`,
      prepare: ({ page }) => page.clock.install({ time: tomorrow }),
    });
    await person.sees("of yesterday");
    // What was not sent yet has the time of this browser, which is a day ahead.
    await person.page.route("**/socket.io/**", (route) => route.abort());
    await person.page.context().setOffline(true);
    await person.send("of today");
    await person.sees("of today");
    const lines = person.log.locator("h3, [dir=auto]");
    await expect(lines).toHaveText(["Yesterday", "of yesterday", "Today", "of today"]);
  });

  test("a day becomes Yesterday at midnight while the page is open", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Hello Ann");
    const evening = new Date();
    evening.setHours(23, 58, 30, 0);
    const person = await enter(ann, {
      path: `/home/${bob.id}`,
      prepare: ({ page }) => page.clock.install({ time: evening }),
    });
    await expect(person.log.getByRole("heading")).toHaveText("Today");
    await person.page.clock.fastForward("02:00");
    await expect(person.log.getByRole("heading")).toHaveText("Yesterday");
  });

  test("the list says the age of the last message as a short label", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Hello Ann");
    const person = await enter(ann, { prepare: ({ page }) => page.clock.install() });
    const age = person.entry(bob).locator("time");
    await expect(age).toHaveText("now");
    for (const [ms, label] of [
      [5 * 60_000, "5min"],
      [2 * HOUR_MS, "2h"],
      [DAY_MS, "a day"],
      [2 * DAY_MS, "3 days"],
      [5 * DAY_MS, "a week"],
      [14 * DAY_MS, "3 weeks"],
      [60 * DAY_MS, "2 months"],
      [365 * DAY_MS, "a year"],
    ] as const) {
      await person.page.clock.fastForward(ms);
      await expect(age).toHaveText(label);
    }
  });
});
