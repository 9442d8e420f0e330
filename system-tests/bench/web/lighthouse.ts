import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildOnce, cacheDir } from "@messageoh/cli/cache";
import { withProgress } from "@messageoh/cli/progress";
import { run } from "@messageoh/cli/run";

/** Lighthouse has 114 packages and 176 MB, so only this benchmark fetches it, into the cache of downloaded programs. */
const VERSION = "13.5.0";

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
/** Categories of Lighthouse, from 0 to 100. */
export type Scores = Record<(typeof CATEGORIES)[number], number>;

/** Times in ms on the simulated phone and network, which are the causes of the performance score. */
export const METRICS = ["firstContentfulPaint", "largestContentfulPaint", "speedIndex", "totalBlockingTime"] as const;
export type Metrics = Record<(typeof METRICS)[number], number>;

export interface Audit {
  scores: Scores;
  metrics: Metrics;
}

/** The parts of Lighthouse's API that this benchmark uses. */
type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: "error"; onlyCategories: string[]; disableStorageReset: boolean },
) => Promise<{ lhr: Report } | undefined>;

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: { metrics?: { details: { items: [Metrics] } } };
  runtimeError?: { message: string };
}

/** Returns a function that audits a page as a mobile device with the Chromium that listens on `port`. */
export async function startLighthouse(port: number): Promise<(url: string) => Promise<Audit>> {
  const lighthouse = await loadLighthouse();
  return async (url) => {
    const flags = { port, logLevel: "error" as const, onlyCategories: [...CATEGORIES], disableStorageReset: true };
    const report = (await lighthouse(url, flags))?.lhr;
    if (!report || report.runtimeError) throw new Error(report?.runtimeError?.message ?? "Lighthouse has no result");
    const scores = CATEGORIES.map((category) => [
      category,
      Math.round((report.categories[category]?.score ?? 0) * 100),
    ]);
    const metrics = report.audits.metrics?.details.items[0];
    if (!metrics) throw new Error("Lighthouse has no metrics");
    return { scores: Object.fromEntries(scores) as Scores, metrics };
  };
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
