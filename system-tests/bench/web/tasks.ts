import { logProgress } from "@messageoh/cli/progress";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { format, median, printTable, quantile } from "../figures.ts";
import { type Crowd, MESSAGES_PER_TALKER } from "./seed.ts";
import { type Task, type Trace, traceTasks } from "./trace.ts";

const CPU = 4;
/** The socket joins the rooms, and the pictures arrive. */
const AFTER_LIST_MS = 2000;

/** CPU times in ms of the page's main thread, with the CPU throttled to a quarter. */
export interface TaskSample {
  /** Tasks over 50 ms while /home opens. */
  openingHome: number[];
  /** Longest task from a click on a friend to the frame that shows the thread, per thread. */
  openingThread: number[];
}

/** Opens /home with many friends and then each of the threads with messages, `rounds` times in new browser contexts. */
export async function measureTasks(
  browser: Browser,
  url: string,
  storageState: BrowserContextOptions["storageState"],
  crowd: Crowd,
  rounds: number,
): Promise<TaskSample[]> {
  const samples: TaskSample[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    logProgress(round === 0 ? "tasks, warm-up ..." : `tasks, round ${round} of ${rounds} ...`);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, storageState });
    const page = await context.newPage();
    const home = await traceTasks(browser, page, CPU, async () => {
      // Without locators, whose own work in the page would count.
      await page.goto(`${url}/home`, { waitUntil: "commit" });
      while (!(await page.evaluate(() => document.querySelector("nav a[data-row]")))) await page.waitForTimeout(100);
      await page.waitForTimeout(AFTER_LIST_MS);
    });
    const threads = await traceTasks(browser, page, CPU, async () => {
      for (const [index, name] of crowd.talkers.entries()) {
        await openThread(page, name, `thread ${index + 1} message ${MESSAGES_PER_TALKER}`);
      }
    });
    if (round > 0) samples.push({ openingHome: cpuOf(home.tasks).filter(isLong), openingThread: perThread(threads) });
    await context.close();
  }
  return samples;
}

const isLong = (ms: number) => ms > 50;

const cpuOf = (tasks: readonly Task[]) => tasks.map(({ cpuMs }) => cpuMs);

function perThread({ tasks, marks }: Trace): number[] {
  return marks.flatMap((end, index) => {
    const begin = marks[index - 1];
    if (end.name !== "bench shown" || !begin) return [];
    return [Math.max(0, ...cpuOf(tasks.filter(({ at }) => at >= begin.at && at < end.at)))];
  });
}

/** Clicks a friend, and marks the click and the frame that shows the newest message of the thread. */
async function openThread(page: Page, name: string, newest: string): Promise<void> {
  await page.evaluate(
    ([friend, text]) =>
      new Promise<void>((resolve) => {
        const links = [...document.querySelectorAll<HTMLElement>("nav a[data-row]")];
        const link = links.find(({ textContent }) => textContent.includes(friend));
        // In a task of its own, so that the click's work counts.
        setTimeout(() => {
          performance.mark("bench click");
          setTimeout(() => link?.click());
        });
        const look = (): void => {
          const articles = [...document.querySelectorAll('[role="log"] article')];
          if (!articles.some((article) => article.textContent?.includes(text))) return void requestAnimationFrame(look);
          requestAnimationFrame(() =>
            setTimeout(() => {
              performance.mark("bench shown");
              resolve();
            }),
          );
        };
        requestAnimationFrame(look);
      }),
    [name, newest] as const,
  );
}

/** Prints the longest tasks. Returns the figures that have targets. */
export function tasksReport(samples: readonly TaskSample[]): Record<string, number> {
  if (samples.length === 0) return {};
  const longestHome = samples.map(({ openingHome }) => Math.max(0, ...openingHome));
  const all = (name: keyof TaskSample) => samples.flatMap((sample) => sample[name]).sort((a, b) => a - b);
  const row = (title: string, sorted: number[]) => [
    title,
    ...[0.5, 0.95, 1].map((share) => format(quantile(sorted, share))),
  ];
  process.stdout.write(
    `\n500 friends, 10,000 messages, CPU throttled to 1/${CPU}: CPU time of the main thread in ms\n\n`,
  );
  printTable(
    ["", "p50", "p95", "longest"],
    [
      row(
        "opening /home, longest task of each visit",
        longestHome.toSorted((a, b) => a - b),
      ),
      row("opening /home, tasks over 50 ms", all("openingHome")),
      row("opening a thread, longest task", all("openingThread")),
    ],
  );
  return {
    home_longest_task_cpu_ms: median(longestHome),
    thread_longest_task_cpu_ms: quantile(all("openingThread"), 1),
  };
}
