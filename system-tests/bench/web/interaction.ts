import { logProgress } from "@messageoh/stack/command/progress";
import { printTable } from "@messageoh/stack/command/table";
import type { Page } from "@playwright/test";
import { quantile } from "../../client/quantile.ts";
import { format, median } from "../figures.ts";
import { addProbe, type Probe, readProbe, timeUntilPainted } from "./browserProbe.ts";
import type { Crowd } from "./seed.ts";
import type { Visitor } from "./visitor.ts";

const SENTENCE = "The quick brown fox jumps over the lazy dog. ";
/** Ten keys per second are fast for a person. Faster ones would wait for each other. */
const KEY_EVERY_MS = 100;
const RECEIVE_PER_SECOND = 100;
const RECEIVE_SECONDS = 4;

/**
 * Measures scrolling through a long thread, and typing in it while nothing happens and while messages arrive, in ms.
 */
export async function measureInteraction(
  { browser, url, crowd, session, slowdown }: Visitor,
  rounds: number,
): Promise<Record<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, storageState: session });
  const page = await context.newPage();
  if (slowdown > 1) {
    const devTools = await context.newCDPSession(page);
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  }
  await addProbe(page, "textarea");
  await page.goto(`${url}/home/${crowd.friendId}`);
  logProgress("scrolling through the whole thread ...");
  const scrolling = await scroll(page, crowd.messages);
  const quiet: Probe[] = [];
  const busy: Probe[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    logProgress(`interaction, round ${round} of ${rounds} ...`);
    const typed = await type(page, crowd);
    quiet.push(typed.quiet);
    busy.push(typed.busy);
  }
  logProgress("switching threads and searching ...");
  const [switching, searching] = [await switchThreads(page, crowd, rounds), await search(page, rounds)];
  await context.close();
  const rows: [name: string, probes: Probe[], what: "keys" | "frames"][] = [
    ["scrolling through the thread, frame to frame", [scrolling], "frames"],
    ["typing, key to frame", quiet, "keys"],
    ["typing while 100 messages/s arrive", busy, "keys"],
    ["frame to frame while receiving", busy, "frames"],
  ];
  process.stdout.write("\nWith 500 friends and 10,000 messages, in ms\n\n");
  printTable(
    ["", "p50", "p95", "longest", "tasks over 50 ms", "the longest"],
    rows.map(([name, probes, what]) => {
      const ms = [0.5, 0.95, 1].map((share) => quantileOf(probes, what, share));
      const tasks = probes.flatMap(({ longTasks }) => longTasks);
      return [name, ...[...ms, tasks.length, Math.max(0, ...tasks)].map((figure) => format(figure))];
    }),
  );
  process.stdout.write(
    `\nOpening a thread of 10,000 messages: ${format(median(switching))} ms; a search for a pasted text: ${format(median(searching))} ms\n`,
  );
  return {
    switching_ms: median(switching),
    searching_ms: median(searching),
    typing_p95_ms: quantileOf(quiet, "keys", 0.95),
    typing_while_receiving_p95_ms: quantileOf(busy, "keys", 0.95),
    long_tasks_typing: quiet.flatMap(({ longTasks }) => longTasks).length,
  };
}

const quantileOf = (probes: readonly Probe[], what: "keys" | "frames", share: number): number =>
  quantile(
    probes.flatMap((probe) => probe[what]),
    share,
  );

const MESSAGE = "[role=log] article";
const NO_MESSAGES = "main:not(:has([role=log] article)) textarea";

/** Goes to another thread and back. Returns the times until the messages were there. */
async function switchThreads(page: Page, { friendId }: Crowd, rounds: number): Promise<number[]> {
  const long = `a[href="/home/${friendId}"]`;
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await page.locator(`a[href^="/home/"]:not([href="/home/${friendId}"])`).nth(round).click();
    await page.waitForSelector(NO_MESSAGES);
    times.push(await timeUntilPainted(page, long, undefined, MESSAGE));
  }
  // The first one is warm-up.
  return times.slice(1);
}

/** Searches in all threads. Returns the times until a result was there. */
async function search(page: Page, rounds: number): Promise<number[]> {
  const field = page.getByPlaceholder("Search");
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await field.fill("");
    await page.waitForFunction(() => document.querySelectorAll("button[data-row] b").length === 0);
    const text = `number ${1_234 + round}`;
    times.push(await timeUntilPainted(page, '[placeholder="Search"]', text, "button[data-row] b"));
  }
  return times.slice(1);
}

/** Scrolls up to the oldest message. */
async function scroll(page: Page, messages: number): Promise<Probe> {
  const log = page.getByRole("log");
  await log.getByRole("article").first().waitFor();
  await readProbe(page);
  for (let attempt = 0; attempt < messages; attempt += 1) {
    await log.evaluate((list) => {
      const scroller = [list, ...list.querySelectorAll("*")].find((part) => part.scrollHeight > part.clientHeight + 10);
      (scroller ?? list.parentElement ?? list).scrollTop = 0;
    });
    if (await log.getByText("message number 1", { exact: true }).isVisible()) break;
    await page.waitForTimeout(20);
  }
  return readProbe(page);
}

/** Types in the thread, first while nothing happens and then while messages arrive. */
async function type(page: Page, crowd: Crowd) {
  const composer = page.getByPlaceholder("Message...");
  await page.bringToFront();
  await composer.focus();
  await readProbe(page);
  await page.keyboard.type(SENTENCE, { delay: KEY_EVERY_MS });
  const quiet = await readProbe(page);
  const received = crowd.receive(RECEIVE_PER_SECOND * RECEIVE_SECONDS, RECEIVE_PER_SECOND);
  await page.keyboard.type(SENTENCE, { delay: KEY_EVERY_MS });
  await received;
  const busy = await readProbe(page);
  await composer.fill("");
  return { quiet, busy };
}
