import type { Locator } from "@playwright/test";
import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import type { Person } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";

const recorder = ({ page }: Person): Locator => page.getByRole("group", { name: "Voice message" });
const record = ({ page }: Person) => page.getByRole("button", { name: "Record a voice message" });
const players = ({ log }: Person): Locator => log.getByRole("button", { name: /^Play voice message/ });

/** Waits until the timer shows at least a number of seconds, because each one shows only for a second. */
async function hasRecorded(person: Person, seconds: number): Promise<void> {
  const timer = recorder(person).getByRole("timer");
  await expect.poll(async () => Number((await timer.innerText()).split(":").pop())).toBeGreaterThanOrEqual(seconds);
}

async function recordFor(person: Person, seconds: number): Promise<void> {
  await record(person).click();
  await hasRecorded(person, seconds);
}

// Firefox plays sound only where an audio device is.
test(
  "a voice message is recorded with a pause, and the friend plays it at twice the speed",
  CHROMIUM_ONLY,
  async ({ newPair, enter }) => {
    const pair = await newPair();
    const ann = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
    const bob = await enter(pair.bob, { path: `/home/${pair.ann.id}` });
    await ann.page.bringToFront();
    await recordFor(ann, 2);
    await recorder(ann).getByRole("button", { name: "Pause" }).click();
    await hasNoViolation(ann.page, "the recorder");
    await recorder(ann).getByRole("button", { name: "Go on recording" }).click();
    await hasRecorded(ann, 4);
    await recorder(ann).getByRole("button", { name: "Send voice message" }).click();
    await expect(recorder(ann)).toHaveCount(0);
    await expect(record(ann)).toBeFocused();

    await expect(bob.entry(ann)).toContainText(/Voice message 0:0[4-9]/);
    await expect(players(bob)).toHaveCount(1);
    await hasNoViolation(bob.page, "a voice message");
    await bob.page.bringToFront();
    await bob.log.getByRole("button", { name: "Speed 1×" }).click();
    await bob.log.getByRole("button", { name: "Speed 1.5×" }).click();
    await players(bob).click();
    await expect(bob.log.getByRole("button", { name: "Pause" })).toBeVisible();
    const position = bob.log.getByRole("slider", { name: "Position" });
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(1);
    expect(await bob.page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(2);
    // To its end.
    await expect(players(bob)).toHaveCount(1);
  },
);

test("a voice message plays on while its row is scrolled away", CHROMIUM_ONLY, async ({ newPair, enter }) => {
  const pair = await newPair();
  const ann = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
  await recordFor(ann, 6);
  await recorder(ann).getByRole("button", { name: "Send voice message" }).click();
  // Until it is stored, what is sent meanwhile comes before it.
  await expect(ann.log.getByRole("img", { name: "Sent" })).toBeVisible();
  await expect(players(ann)).toHaveCount(1);
  await pair.ann.say(pair.bob, ...Array.from({ length: 40 }, (_, line) => `line ${line}`));
  await ann.sees("line 39");
  await expect(players(ann)).not.toBeInViewport();
  const scrollTo = (edge: "start" | "end") =>
    ann.log.evaluate((log, to) => log.scrollTo(0, to === "end" ? log.scrollHeight : 0), edge);
  // The list may move while it measures its rows.
  await expect(async () => {
    await scrollTo("start");
    await players(ann).click({ timeout: 2_000 });
  }).toPass();
  await expect(ann.log.getByRole("button", { name: "Pause" })).toBeVisible();
  // So slow that it lasts until the end of the test.
  const sound = ann.page.locator("audio");
  await sound.evaluate((audio: HTMLAudioElement) => {
    audio.playbackRate = 0.1;
  });
  await scrollTo("end");
  await expect(ann.log.getByRole("slider")).not.toBeInViewport();
  const position = () => sound.evaluate((audio: HTMLAudioElement) => audio.currentTime);
  const before = await position();
  await expect.poll(position).toBeGreaterThan(before);
  await expect(async () => {
    await scrollTo("start");
    await ann.log.getByRole("button", { name: "Pause" }).click({ timeout: 2_000 });
  }).toPass();
  await expect(players(ann)).toHaveCount(1);
});

test("a voice message that is recorded without a network is sent when it is back", async ({ newPair, enter }) => {
  const pair = await newPair();
  const ann = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
  const bob = await enter(pair.bob, { path: `/home/${pair.ann.id}` });
  await ann.page.bringToFront();
  const send = recorder(ann).getByRole("button", { name: "Send voice message" });
  await ann.hasOfflineCode();
  await ann.page.context().setOffline(true);
  await recordFor(ann, 2);
  await send.click();
  await expect(ann.log.getByText("Waiting", { exact: true })).toBeVisible();
  await ann.page.context().setOffline(false);
  await expect(players(bob)).toHaveCount(1);
  await expect(players(ann)).toHaveCount(1);
});
