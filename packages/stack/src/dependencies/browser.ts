import { join } from "node:path";
import { logProgress, PlainError } from "../command/progress.ts";
import { findProgram, run } from "../command/run.ts";
import { fetchBrowser } from "./debianBrowser.ts";

/** Paths of programs; without one, Playwright uses its own. */
export type Browser = {
  /** A complete Chromium. */
  CHROME_PATH?: string;
  /** Chromium without windows. It opens a page with a quarter of the work, but has no notifications. */
  HEADLESS_SHELL_PATH?: string;
};

/** Programs of a browser. Its first one must be found. */
type Wanted = {
  name: string;
  /** By program: the variable with its path, and its names on PATH. */
  programs: [variable: string, names: string[]][];
  /** Its package in Debian for each program, and their folder in it. */
  debian: [cacheName: string, packages: string[], folder: string];
};

/** Finds a Chromium: CHROME_PATH and HEADLESS_SHELL_PATH, PATH, Debian's packages, or Playwright's download. */
export async function findBrowser(root: string): Promise<Browser> {
  const [CHROME_PATH, HEADLESS_SHELL_PATH] = await find(root, {
    name: "chromium",
    programs: [
      ["CHROME_PATH", ["chromium", "chromium-browser", "google-chrome"]],
      ["HEADLESS_SHELL_PATH", ["chromium-headless-shell"]],
    ],
    debian: ["debian-browsers", ["chromium", "chromium-headless-shell"], "usr/lib/chromium"],
  });
  return { CHROME_PATH, HEADLESS_SHELL_PATH };
}

/** Finds a Firefox: FIREFOX_PATH, PATH, Debian's package, or Playwright's download. */
export async function findFirefox(root: string): Promise<{ FIREFOX_PATH?: string }> {
  const [FIREFOX_PATH] = await find(root, {
    name: "firefox",
    programs: [["FIREFOX_PATH", ["firefox-esr", "firefox"]]],
    debian: ["debian-firefox", ["firefox-esr"], "usr/lib/firefox-esr"],
  });
  return { FIREFOX_PATH };
}

/** Returns the paths of the programs; none if Playwright has its own. Downloads are kept. */
async function find(root: string, { name, programs, debian }: Wanted): Promise<(string | undefined)[]> {
  const first = programs[0]?.[0] ?? "";
  const given = programs.map(([variable]) => process.env[variable]);
  const onPath = () => programs.map(([, names]) => findProgram(...names));
  const found = given[0] ? given : (onPath()[0] && onPath()) || (await fetchBrowser(...debian));
  if (found) {
    logProgress(`Browser: ${found[0]}`);
    return found;
  }
  logProgress(`Browser: downloading Playwright's ${name} ...`);
  await run(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "install", name]).catch(() => {
    throw new PlainError(`A browser is missing and cannot be downloaded: install ${name}, or set ${first}.`);
  });
  return [];
}
