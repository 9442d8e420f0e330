import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inDataDir } from "./parts.ts";

const www = (...path: string[]): string => inDataDir("www", ...path);
const POINTERS = /(id="?pointer-\w+"?[^>]*>)[\s\S]*?(?=<\/script>)/g;
const CLI = join(import.meta.dirname, "../../../packages/stack/src/releases/commands/cli.ts");

/** Replaces the service worker that the gateway serves. */
export const serveServiceWorker = (content: string): void => writeFileSync(www("shell", "service-worker.js"), content);

/** Runs a release command on the stack under test and returns its output and exit code. */
export function command(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, DATA_DIR: inDataDir() };
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

export const liveRelease = (frontend: string): string =>
  JSON.parse(readFileSync(www(frontend, "current.json"), "utf8")).release;

/** Returns the folder of a modified copy of the live release. */
export function builtFrom(frontend: string, change: (file: string, content: string) => string): string {
  const dist = mkdtempSync(inDataDir("dist-"));
  cpSync(www(frontend, liveRelease(frontend)), dist, { recursive: true });
  rmSync(join(dist, "release.json"));
  for (const file of readdirSync(dist)) {
    if (file.endsWith(".gz") || file.endsWith(".br")) rmSync(join(dist, file));
    else if (/\.(js|json|html)$/.test(file)) {
      const content = readFileSync(join(dist, file), "utf8");
      writeFileSync(join(dist, file), change(file, content));
    }
  }
  return dist;
}

const isPooled = (file: string): boolean => file.startsWith("/assets/");

/** Returns the hash of each file that the gateway serves for a front end, by path. */
export async function served(baseUrl: string, frontend: string): Promise<Record<string, string>> {
  const prefix = frontend === "shell" ? "" : `/${frontend}`;
  const files = readdirSync(www(frontend), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(gz|br)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(www(frontend).length));
  const addresses = frontend === "shell" ? ["/", "/shell/current.json", ...files.filter(isPooled)] : files;
  const entries = addresses.map(async (file): Promise<[string, string]> => {
    const response = await fetch(`${baseUrl}${prefix}${file}`);
    // Ignore the pointers that the gateway inserts into the page.
    const body =
      file === "/" ? (await response.text()).replace(POINTERS, "$1") : Buffer.from(await response.arrayBuffer());
    return [file, `${response.status} ${createHash("sha256").update(body).digest("hex")}`];
  });
  return Object.fromEntries(await Promise.all(entries));
}
