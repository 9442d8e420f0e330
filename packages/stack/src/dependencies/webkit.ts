import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../command/cache.ts";
import { withProgress } from "../command/progress.ts";
import { findNamespace, findProgram } from "../command/run.ts";
import { hasApt, unpackPackages } from "./apt.ts";
import { fontsConf } from "./debianBrowser.ts";

const PACKAGES = ["webkit2gtk-driver", "xvfb", "fonts-noto-color-emoji"];
/** Runs a program as if the packages were installed: WebKitGTK finds its processes only in the folder of its build. */
const launcher = (prefix: string): string => `#!/bin/sh
set -e
mount -t overlay overlay -o "lowerdir=${prefix}/usr:/usr" /usr
export LD_LIBRARY_PATH="$(echo ${prefix}/lib/*-linux-gnu)" FONTCONFIG_FILE="${prefix}/fonts.conf"
exec "$@"
`;

/**
 * Finds WebKitWebDriver of WebKitGTK and Xvfb: on PATH, or in Debian's packages, which are fetched once and mounted
 * over `/usr` of a mount namespace. Returns the words that a command of these programs begins with, or `undefined` if
 * the machine has neither the programs nor Debian's packages and namespaces.
 */
export async function findWebKit(): Promise<string[] | undefined> {
  if (findProgram("WebKitWebDriver") && findProgram("Xvfb")) return [];
  if (!hasApt() || !findProgram("unshare")) return undefined;
  const prefix = join(cacheDir(), "debian-webkit");
  const run = join(prefix, "run");
  await buildOnce(prefix, async (aside) => {
    await withProgress("Browser: fetching the Debian package webkit2gtk-driver", () => unpackPackages(aside, PACKAGES));
    await writeFile(join(aside, "fonts.conf"), fontsConf(prefix));
    await writeFile(join(aside, "run"), launcher(prefix), { mode: 0o755 });
  });
  const namespace = findNamespace(run, "true");
  return namespace && ["unshare", ...namespace, run];
}
