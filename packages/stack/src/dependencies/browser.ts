import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "@messageoh/cli/cache";
import { logProgress, PlainError, withProgress } from "@messageoh/cli/progress";
import { findProgram, run } from "@messageoh/cli/run";
import { hasApt, unpackPackages } from "./apt.ts";

const PACKAGES = ["chromium", "fonts-noto-color-emoji"];
const LAUNCHER = `#!/bin/sh
prefix=$(dirname "$0")
libraries=$(echo "$prefix"/usr/lib/*-linux-gnu "$prefix"/usr/lib/*-linux-gnu/pulseaudio "$prefix"/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$(echo "$libraries" | tr " " :)" FONTCONFIG_FILE="$prefix/fonts.conf"
exec "$prefix/usr/lib/chromium/chromium" "$@"
`;
const fontsConf = (prefix: string): string => `<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <include ignore_missing="yes">${prefix}/usr/share/fontconfig/conf.avail/60-latin.conf</include>
  <dir>${prefix}/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Finds a Chromium: CHROME_PATH, PATH, Debian's package, or Playwright's download. The last two are fetched once. */
export async function findBrowser(root: string): Promise<{ CHROME_PATH?: string }> {
  const found =
    process.env.CHROME_PATH ||
    findProgram("chromium", "chromium-browser", "google-chrome") ||
    (hasApt() && (await fetchFromDebian()));
  if (found) {
    logProgress(`Browser: ${found}`);
    return { CHROME_PATH: found };
  }
  logProgress("Browser: downloading Playwright's Chromium ...");
  await run(process.execPath, [join(root, "node_modules/@playwright/test/cli.js"), "install", "chromium"]).catch(() => {
    throw new PlainError("A browser is missing and cannot be downloaded: install chromium, or set CHROME_PATH.");
  });
  return {};
}

/** Unpacks Debian's Chromium and fonts into the cache folder; returns its path, or undefined if that fails. */
async function fetchFromDebian(): Promise<string | undefined> {
  const prefix = join(cacheDir(), "debian-chromium");
  try {
    await buildOnce(prefix, async (aside) => {
      await withProgress("Browser: fetching the Debian package chromium", () => unpackPackages(aside, PACKAGES));
      await writeFile(join(aside, "fonts.conf"), fontsConf(prefix));
      await writeFile(join(aside, "chromium"), LAUNCHER, { mode: 0o755 });
      await run(join(aside, "chromium"), ["--version"]);
    });
    return join(prefix, "chromium");
  } catch (error) {
    logProgress(`Browser: Debian's Chromium cannot be fetched (${(error as Error).message.split("\n")[0]})`);
    return undefined;
  }
}
