import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildOnce, cacheDir } from "@messageoh/stack/command/cache";
import { logProgress, withProgress } from "@messageoh/stack/command/progress";
import { run } from "@messageoh/stack/command/run";
import { printTable } from "@messageoh/stack/command/table";
import { freePort } from "@messageoh/stack/ports";
import { type BrowserContext, chromium } from "@playwright/test";
import { median, spread } from "../figures.ts";
import type { Visitor } from "./visitor.ts";

/** Lighthouse has 114 packages and 176 MB, so only this benchmark fetches it, into the cache of downloaded programs. */
const VERSION = "13.5.0";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
/** Times in ms on the simulated phone and network, which are the causes of the performance score. */
const METRICS = ["firstContentfulPaint", "largestContentfulPaint", "speedIndex", "totalBlockingTime"] as const;
/** Pages with the lowest accepted performance score. */
const PAGES = { "/": 97, "/login": 97, "/register": 97, "/home": 95 };

/** The parts of Lighthouse's API that this benchmark uses. */
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;
interface Report {
  categories: Record<string, { score: number | null }>;
  audits: { metrics?: { details: { items: [Record<string, number>] } } };
  runtimeError?: { message: string };
}
/** Scores from 0 to 100 by category, and times by metric. */
type Audit = Record<string, number>;

/**
 * Audits each page with Lighthouse as a mobile device: /home as the signed-in user, the others as a visitor. Each audit
 * loads all files from the server, as `lighthouse URL` does. Returns the median scores.
 */
export async function measureScores(
  { executablePath, url, session }: Visitor,
  rounds: number,
): Promise<Record<string, number>> {
  const lighthouse = await loadLighthouse();
  const audits = new Map<string, Audit[]>(Object.keys(PAGES).map((page) => [page, []]));
  for (const [page, samples] of audits) {
    const port = await freePort();
    const args = ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`];
    const context = await chromium.launchPersistentContext("", { executablePath, args });
    if (page === "/home") await context.setStorageState(session);
    const flags = { port, logLevel: "error", onlyCategories: CATEGORIES, disableStorageReset: true };
    for (let round = 1; round <= rounds; round += 1) {
      logProgress(`Lighthouse, ${page}, round ${round} of ${rounds} ...`);
      await forgetFiles(context, url);
      samples.push(auditOf((await lighthouse(url + page, flags))?.lhr));
    }
    await context.close();
  }
  const table = (title: string, names: readonly string[]) => {
    process.stdout.write(`\nLighthouse, mobile, ${title}: median (lowest to highest)\n\n`);
    printTable(
      ["", ...names],
      [...audits].map(([page, samples]) => [
        `${page} (performance of ${PAGES[page as keyof typeof PAGES]} required)`,
        ...names.map((name) => spread(samples.map((audit) => audit[name] as number))),
      ]),
    );
  };
  table("scores", CATEGORIES);
  table("ms on the simulated phone", METRICS);
  const scores = [...audits].flatMap(([page, samples]) =>
    CATEGORIES.map((name) => [`${name}_of_${page}`, median(samples.map((audit) => audit[name] as number))] as const),
  );
  return Object.fromEntries(scores);
}

function auditOf(report: Report | undefined): Audit {
  const metrics = report?.audits.metrics?.details.items[0];
  if (!report || !metrics) throw new Error(report?.runtimeError?.message ?? "Lighthouse has no result");
  const scores = CATEGORIES.map((name) => [name, Math.round((report.categories[name]?.score ?? 0) * 100)] as const);
  return { ...metrics, ...Object.fromEntries(scores) };
}

/** Removes the browser's copies of files, but not the session. Lighthouse itself can only remove both. */
async function forgetFiles(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.send("Storage.clearDataForOrigin", { origin: url, storageTypes: "service_workers,cache_storage" });
  await page.close();
}

async function loadLighthouse(): Promise<Lighthouse> {
  const dir = await buildOnce(join(cacheDir(), `lighthouse-${VERSION}`), async (aside) => {
    await mkdir(aside, { recursive: true });
    const options = ["--prefix", aside, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    await withProgress("Fetching Lighthouse", () => run("npm", ["install", `lighthouse@${VERSION}`, ...options]));
  });
  const entry = createRequire(join(dir, "package.json")).resolve("lighthouse");
  return (await import(pathToFileURL(entry).href)).default as Lighthouse;
}
