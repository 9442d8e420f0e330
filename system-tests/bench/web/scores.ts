import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logProgress } from "@messageoh/cli/progress";
import { freePort } from "@messageoh/stack/ports";
import { type BrowserContext, type BrowserContextOptions, chromium } from "@playwright/test";
import { format, median, printTable, spread } from "../figures.ts";
import { type Audit, CATEGORIES, METRICS, startLighthouse } from "./lighthouse.ts";

/** Pages with the lowest accepted performance score. */
const PAGES = { "/": 97, "/login": 97, "/register": 97, "/home": 95 };
type PagePath = keyof typeof PAGES;

export type ScoreSample = Audit & { page: PagePath };

export type StorageState = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

/**
 * Audits each page `rounds` times with Lighthouse: /home as the signed-in user, the others as a visitor. Each audit loads all
 * files from the server, as `lighthouse URL` does.
 */
export async function measureScores(
  executablePath: string | undefined,
  url: string,
  session: StorageState,
  rounds: number,
): Promise<ScoreSample[]> {
  const samples: ScoreSample[] = [];
  for (const isSignedIn of [false, true]) {
    const profile = await mkdtemp(join(tmpdir(), "messageoh-lighthouse-"));
    const port = await freePort();
    const args = ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`];
    const context = await chromium.launchPersistentContext(profile, { executablePath, args });
    try {
      if (isSignedIn) {
        await context.addCookies(session.cookies);
        const page = await context.newPage();
        await page.goto(`${url}/robots.txt`);
        const stored = session.origins.flatMap(({ localStorage }) => localStorage);
        await page.evaluate((items) => {
          for (const { name, value } of items) localStorage.setItem(name, value);
        }, stored);
        await page.close();
      }
      const audit = await startLighthouse(port);
      const pages = (Object.keys(PAGES) as PagePath[]).filter((page) => (page === "/home") === isSignedIn);
      for (let round = 1; round <= rounds; round += 1) {
        logProgress(`Lighthouse${isSignedIn ? ", signed in" : ""}, round ${round} of ${rounds} ...`);
        for (const page of pages) {
          await forgetFiles(context, url);
          samples.push({ page, ...(await audit(url + page)) });
        }
      }
    } finally {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    }
  }
  return samples;
}

/** Removes the browser's copies of files, but not the session. Lighthouse itself can only remove both. */
async function forgetFiles(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.send("Storage.clearDataForOrigin", { origin: url, storageTypes: "service_workers,cache_storage" });
  await page.close();
}

/** Prints a row per page. Returns the median scores. */
export function scoresReport(samples: readonly ScoreSample[]): Record<string, number> {
  const pages = (Object.keys(PAGES) as PagePath[]).filter((page) => samples.some((sample) => sample.page === page));
  if (pages.length === 0) return {};
  const of = (page: PagePath, read: (sample: ScoreSample) => number) =>
    samples.filter((sample) => sample.page === page).map(read);
  process.stdout.write("\nLighthouse, mobile: median (lowest to highest) of the scores\n\n");
  printTable(
    ["", ...CATEGORIES, "required performance"],
    pages.map((page) => [
      page,
      ...CATEGORIES.map((name) => spread(of(page, ({ scores }) => scores[name]))),
      format(PAGES[page]),
    ]),
  );
  process.stdout.write("\nOn the simulated phone: median (lowest to highest) in ms\n\n");
  printTable(
    ["", "first paint", "largest paint", "speed index", "blocking time"],
    pages.map((page) => [page, ...METRICS.map((name) => spread(of(page, ({ metrics }) => metrics[name])))]),
  );
  return Object.fromEntries(
    pages.flatMap((page) =>
      CATEGORIES.map((name) => [`${name}_of_${page}`, median(of(page, ({ scores }) => scores[name]))]),
    ),
  );
}
