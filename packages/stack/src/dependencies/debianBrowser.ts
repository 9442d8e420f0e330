import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../command/cache.ts";
import { logProgress, withProgress } from "../command/progress.ts";
import { run } from "../command/run.ts";
import { hasApt, unpackPackages } from "./apt.ts";

const launcher = (program: string): string => `#!/bin/sh
prefix=$(dirname "$0")
libraries=$(echo "$prefix"/usr/lib/*-linux-gnu "$prefix"/usr/lib/*-linux-gnu/pulseaudio "$prefix"/lib/*-linux-gnu)
export LD_LIBRARY_PATH="$(echo "$libraries" | tr " " :)" FONTCONFIG_FILE="$prefix/fonts.conf"
exec "$prefix/${program}" "$@"
`;
/** Returns a fontconfig file that adds the fonts of unpacked packages to those of the machine. */
export const fontsConf = (prefix: string): string => `<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <include ignore_missing="yes">${prefix}/usr/share/fontconfig/conf.avail/60-latin.conf</include>
  <dir>${prefix}/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Unpacks browsers of Debian and fonts into the cache folder, and returns the paths of their launchers, or `undefined`
 * if that fails.
 * @param programs names of the packages, which are those of the programs
 * @param folder of the programs in the packages
 */
export async function fetchBrowser(
  cacheName: string,
  programs: string[],
  folder: string,
): Promise<string[] | undefined> {
  if (!hasApt()) return undefined;
  const prefix = join(cacheDir(), cacheName);
  const packages = [...programs, "fonts-noto-color-emoji"];
  try {
    await buildOnce(prefix, async (aside) => {
      await withProgress(`Browser: fetching the Debian package ${programs[0]}`, () => unpackPackages(aside, packages));
      await writeFile(join(aside, "fonts.conf"), fontsConf(prefix));
      for (const program of programs) {
        await writeFile(join(aside, program), launcher(`${folder}/${program}`), { mode: 0o755 });
        await run(join(aside, program), ["--version"]);
      }
    });
    return programs.map((program) => join(prefix, program));
  } catch (error) {
    logProgress(`Browser: Debian's ${programs[0]} cannot be fetched (${(error as Error).message.split("\n")[0]})`);
    return undefined;
  }
}
