import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "@messageoh/cli/cache";
import { logProgress, PlainError, withProgress } from "@messageoh/cli/progress";
import { findProgram, run } from "@messageoh/cli/run";
import { hasApt, unpackPackages } from "./apt.ts";

/** Paths of programs; without one, Playwright uses its own. */
export type Browser = {
  /** A complete Chromium. */
  CHROME_PATH?: string;
  /** Chromium without windows. It opens a page with a quarter of the work, but has no notifications. */
  HEADLESS_SHELL_PATH?: string;
};

const PACKAGES = ["chromium", "chromium-headless-shell", "fonts-noto-color-emoji"];
const launcher = (program: string): string => `#!/bin/sh
prefix=$(dirname "$0")
libraries=$(echo "$prefix"/usr/lib/*-linux-gnu "$prefix"/usr/lib/*-linux-gnu/pulseaudio "$prefix"/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$(echo "$libraries" | tr " " :)" FONTCONFIG_FILE="$prefix/fonts.conf"
exec "$prefix/usr/lib/chromium/${program}" "$@"
`;
const fontsConf = (prefix: string): string => `<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <include ignore_missing="yes">${prefix}/usr/share/fontconfig/conf.avail/60-latin.conf</include>
  <dir>${prefix}/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Finds a Chromium: CHROME_PATH and HEADLESS_SHELL_PATH, PATH, Debian's packages, or Playwright's download. The last two are
 * fetched once.
 */
export async function findBrowser(root: string): Promise<Browser> {
  const found = fromEnvironment() ?? fromPath() ?? (hasApt() ? await fetchFromDebian() : undefined);
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

/** Unpacks Debian's Chromium and fonts into the cache folder; returns undefined if that fails. */
async function fetchFromDebian(): Promise<Browser | undefined> {
  const prefix = join(cacheDir(), "debian-browsers");
  const programs = ["chromium", "chromium-headless-shell"] as const;
  try {
    await buildOnce(prefix, async (aside) => {
      await withProgress("Browser: fetching the Debian package chromium", () => unpackPackages(aside, PACKAGES));
      await writeFile(join(aside, "fonts.conf"), fontsConf(prefix));
      for (const program of programs) {
        await writeFile(join(aside, program), launcher(program), { mode: 0o755 });
        await run(join(aside, program), ["--version"]);
      }
    });
    const [CHROME_PATH, HEADLESS_SHELL_PATH] = programs.map((program) => join(prefix, program));
    return { CHROME_PATH, HEADLESS_SHELL_PATH };
  } catch (error) {
    logProgress(`Browser: Debian's Chromium cannot be fetched (${(error as Error).message.split("\n")[0]})`);
    return undefined;
  }
}
