import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildOnce, cacheDir } from "@messageoh/cli/cache";
import { withProgress } from "@messageoh/cli/progress";
import { run } from "@messageoh/cli/run";

/** Lighthouse has 114 packages and 176 MB, so only this benchmark fetches it, into the cache of downloaded programs. */
const VERSION = "13.5.0";

/** Categories of Lighthouse, from 0 to 100. */
export interface Scores {
  performance: number;
  accessibility: number;
  "best-practices": number;
  seo: number;
}

/** Metrics of the performance score in ms; `cls` has no unit. */
export interface Metrics {
  fcp: number;
  lcp: number;
  tbt: number;
  speedIndex: number;
  cls: number;
}

export interface Audited {
  scores: Scores;
  metrics: Metrics;
  /** Titles of the audits that reduce the score of a category other than performance. */
  findings: string[];
}

/** The parts of Lighthouse's API that this benchmark uses. */
type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: "error"; onlyCategories: string[]; disableStorageReset: boolean },
) => Promise<{ lhr: Report } | undefined>;

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string; numericValue?: number }>;
  runtimeError?: { message: string };
}

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;

/** Returns a function that audits a page as a mobile device with the Chromium that listens on `port`. */
export async function startLighthouse(port: number): Promise<(url: string) => Promise<Audited>> {
  const lighthouse = await loadLighthouse();
  return async (url) => {
    const flags = { port, logLevel: "error" as const, onlyCategories: [...CATEGORIES], disableStorageReset: true };
    const report = (await lighthouse(url, flags))?.lhr;
    if (!report || report.runtimeError) throw new Error(report?.runtimeError?.message ?? "Lighthouse has no result");
    return read(report);
  };
}

function read({ categories, audits }: Report): Audited {
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const metric = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  const findings = CATEGORIES.slice(1).flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${category}: ${audits[id]?.title}`),
  );
  return {
    scores: {
      performance: score("performance"),
      accessibility: score("accessibility"),
      "best-practices": score("best-practices"),
      seo: score("seo"),
    },
    metrics: {
      fcp: metric("first-contentful-paint"),
      lcp: metric("largest-contentful-paint"),
      tbt: metric("total-blocking-time"),
      speedIndex: metric("speed-index"),
      cls: metric("cumulative-layout-shift"),
    },
    findings,
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
