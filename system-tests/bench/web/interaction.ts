import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { addProbe, readProbe } from "./browserProbe.ts";
import type { Crowd } from "./seed.ts";

export interface Interaction {
  /** Milliseconds from a key to the frame that shows the result. */
  typingMs: number[];
  typingWhileReceivingMs: number[];
  /** Milliseconds between two frames while messages arrive. */
  framesWhileReceivingMs: number[];
  longTasksTyping: number[];
  longTasksReceiving: number[];
}

const SENTENCE = "The quick brown fox jumps over the lazy dog. ";
const RECEIVE_PER_SECOND = 100;
const RECEIVE_SECONDS = 3;

/** Opens the home screen with a long thread. */
export async function openHome(
  browser: Browser,
  url: string,
  storageState: BrowserContextOptions["storageState"],
  { friendId }: Crowd,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, storageState });
  const page = await context.newPage();
  await addProbe(page, "textarea");
  await page.goto(`${url}/home/${friendId}`);
  await page.getByRole("log").getByRole("article").first().waitFor();
  return page;
}

/** Scrolls up to the oldest message and returns the durations of long tasks. */
export async function loadHistory(page: Page, messages: number): Promise<number[]> {
  await readProbe(page);
  const log = page.getByRole("log");
  for (let attempt = 0; attempt < messages; attempt += 1) {
    await log.evaluate((list) => {
      const scroller = [list, ...list.querySelectorAll("*")].find((part) => part.scrollHeight > part.clientHeight + 10);
      (scroller ?? list.parentElement ?? list).scrollTop = 0;
    });
    if (await log.getByText("message number 1", { exact: true }).isVisible()) break;
    await page.waitForTimeout(20);
  }
  return (await readProbe(page)).longTasks;
}

/** Types in the long thread, first while nothing happens and then while messages arrive. */
export async function interact(page: Page, crowd: Crowd): Promise<Interaction> {
  const composer = page.getByPlaceholder("Message...");
  await page.bringToFront();
  await composer.focus();
  await readProbe(page);
  await page.keyboard.type(SENTENCE, { delay: 25 });
  const typed = await readProbe(page);

  const received = crowd.receive(RECEIVE_PER_SECOND * RECEIVE_SECONDS, RECEIVE_PER_SECOND);
  await page.keyboard.type(SENTENCE.repeat(2), { delay: (RECEIVE_SECONDS * 1000) / (SENTENCE.length * 2) - 5 });
  await received;
  const receiving = await readProbe(page);
  await composer.fill("");
  return {
    typingMs: typed.keys,
    typingWhileReceivingMs: receiving.keys,
    framesWhileReceivingMs: receiving.frames,
    longTasksTyping: typed.longTasks,
    longTasksReceiving: receiving.longTasks,
  };
}
