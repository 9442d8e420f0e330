import { join } from "node:path";
import { logProgress, PlainError } from "@messageoh/cli/progress";
import { findProgram, run } from "@messageoh/cli/run";
import { fetchBrowser } from "./debianBrowser.ts";

/** Paths of programs; without one, Playwright uses its own. */
export type Browser = {
  /** A complete Chromium. */
  CHROME_PATH?: string;
  /** Chromium without windows. It opens a page with a quarter of the work, but has no notifications. */
  HEADLESS_SHELL_PATH?: string;
};

const PROGRAMS = ["chromium", "chromium-headless-shell"] as const;

/**
 * Finds a Chromium: CHROME_PATH and HEADLESS_SHELL_PATH, PATH, Debian's packages, or Playwright's download. The last two are
 * fetched once.
 */
export async function findBrowser(root: string): Promise<Browser> {
  const found = fromEnvironment() ?? fromPath() ?? (await fetchFromDebian());
  if (found) {
    logProgress(`Browser: ${found.CHROME_PATH}`);
    return found;
  }
  logProgress("Browser: downloading Playwright's Chromium ...");
  await run(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "install", "chromium"]).catch(() => {
    throw new PlainError("A browser is missing and cannot be downloaded: install chromium, or set CHROME_PATH.");
  });
  return {};
}

function fromEnvironment(): Browser | undefined {
  const { CHROME_PATH, HEADLESS_SHELL_PATH } = process.env;
  return CHROME_PATH ? { CHROME_PATH, HEADLESS_SHELL_PATH } : undefined;
}

function fromPath(): Browser | undefined {
  const CHROME_PATH = findProgram("chromium", "chromium-browser", "google-chrome");
  return CHROME_PATH ? { CHROME_PATH, HEADLESS_SHELL_PATH: findProgram("chromium-headless-shell") } : undefined;
}

async function fetchFromDebian(): Promise<Browser | undefined> {
  const paths = await fetchBrowser("debian-browsers", [...PROGRAMS], "usr/lib/chromium");
  return paths && { CHROME_PATH: paths[0], HEADLESS_SHELL_PATH: paths[1] };
}
