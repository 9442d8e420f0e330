import { join } from "node:path";
import { logProgress, PlainError } from "@messageoh/cli/progress";
import { findProgram, run } from "@messageoh/cli/run";
import { fetchBrowser } from "./debianBrowser.ts";

/**
 * Finds a Firefox: FIREFOX_PATH, PATH, Debian's package, or Playwright's download. The last two are fetched once. Without a
 * path, Playwright uses its own.
 */
export async function findFirefox(root: string): Promise<{ FIREFOX_PATH?: string }> {
  const FIREFOX_PATH = process.env.FIREFOX_PATH ?? findProgram("firefox-esr", "firefox") ?? (await fetchFromDebian());
  if (FIREFOX_PATH) {
    logProgress(`Browser: ${FIREFOX_PATH}`);
    return { FIREFOX_PATH };
  }
  logProgress("Browser: downloading Playwright's Firefox ...");
  await run(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "install", "firefox"]).catch(() => {
    throw new PlainError("Firefox is missing and cannot be downloaded: install firefox-esr, or set FIREFOX_PATH.");
  });
  return {};
}

async function fetchFromDebian(): Promise<string | undefined> {
  const [path] = (await fetchBrowser("debian-firefox", ["firefox-esr"], "usr/lib/firefox-esr")) ?? [];
  return path;
}
