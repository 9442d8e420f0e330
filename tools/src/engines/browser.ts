import { join } from "node:path";
import { findProgram, run } from "../run.ts";
import { PlainError, say } from "../say.ts";

/** A Chromium for the browser tests: CHROME_PATH, else one on PATH, else Playwright's own, downloaded once. */
export async function findBrowser(root: string): Promise<{ CHROME_PATH?: string }> {
  const found = process.env.CHROME_PATH || findProgram("chromium", "chromium-browser", "google-chrome");
  if (found) {
    say(`Browser: ${found}`);
    return { CHROME_PATH: found };
  }
  say("Browser: downloading Playwright's Chromium ...");
  await run(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "install", "chromium"]).catch(() => {
    throw new PlainError("A browser is missing and cannot be downloaded: install chromium, or set CHROME_PATH.");
  });
  return {};
}
