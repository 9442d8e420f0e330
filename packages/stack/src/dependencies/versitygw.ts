import { rm } from "node:fs/promises";
import { join } from "node:path";
import { buildOnce, cacheDir } from "../command/cache.ts";
import { withProgress } from "../command/progress.ts";
import { findProgram, run } from "../command/run.ts";

const VERSION = "1.8.0";
const MODULE = `github.com/versity/versitygw/cmd/versitygw@v${VERSION}`;

/** Access to an S3 server. */
export type S3Keys = { accessKey: string; secretKey: string };

/**
 * Finds versitygw, an S3 server that stores objects in a folder: on PATH, or built once with Go, which takes about two
 * minutes. Returns its path, or `undefined` if the machine has neither the program nor Go.
 */
export async function findVersitygw(): Promise<string | undefined> {
  const found = findProgram("versitygw");
  if (found) return found;
  const go = findProgram("go");
  if (!go) return undefined;
  const prefix = await buildOnce(join(cacheDir(), `versitygw-${VERSION}`), async (aside) => {
    const work = join(aside, "build");
    const env = {
      ...process.env,
      GOBIN: aside,
      GOPATH: join(work, "path"),
      GOMODCACHE: join(work, "modules"),
      GOCACHE: join(work, "cache"),
      CGO_ENABLED: "0",
      // Less collection of garbage saves a tenth of the time.
      GOGC: "400",
      // Otherwise the modules could not be deleted.
      GOFLAGS: "-modcacherw",
    };
    // Without inlining, the build takes a third less time; without debugging information, another tenth.
    const flags = ["-ldflags", "-s -w", "-gcflags", "all=-l -dwarf=false"];
    await withProgress(`S3 server: building versitygw ${VERSION}`, () =>
      run(go, ["install", ...flags, MODULE], { env }),
    );
    await rm(work, { recursive: true });
  });
  return join(prefix, "versitygw");
}

/**
 * Returns the arguments and environment of a versitygw process on the loopback address.
 * @param dir existing folder of the buckets, on a file system with extended attributes
 */
export const versitygwProcess = (dir: string, port: number, { accessKey, secretKey }: S3Keys) => ({
  args: ["--quiet", "--keep-alive", "--port", `127.0.0.1:${port}`, "posix", dir],
  env: { ...process.env, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
});
