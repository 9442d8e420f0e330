import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PlainError } from "../../command/progress.ts";
import { repoRoot } from "../../command/root.ts";
import type { ProcessEntry } from "../../processes/part.ts";
import { respondsOk } from "../../services.ts";

/** The destination of a release. */
export type Target = {
  /** The gateway's static folder. */
  www: string;
  /** URL of the stack; `undefined` if it does not run. */
  url: string | undefined;
};

/** Returns the stack of DATA_DIR, or the one of WWW_DIR and STACK_URL, such as a stack in containers. */
export async function findTarget(): Promise<Target> {
  const dataDir = resolve(repoRoot(), process.env.DATA_DIR || ".data");
  const www = process.env.WWW_DIR ? resolve(repoRoot(), process.env.WWW_DIR) : join(dataDir, "www");
  if (!existsSync(www)) {
    throw new PlainError(`${www} does not exist. Run npm start, or set DATA_DIR.`);
  }
  const url = process.env.STACK_URL ?? gatewayUrl(dataDir);
  return { www, url: url && (await respondsOk(`${url}/`, {}, 5_000)) ? url : undefined };
}

function gatewayUrl(dataDir: string): string | undefined {
  try {
    const parts = JSON.parse(readFileSync(join(dataDir, "processes.json"), "utf8")) as ProcessEntry[];
    const gateway = parts.find(({ name }) => name === "gateway");
    return gateway && `http://localhost:${gateway.port}`;
  } catch {
    return undefined;
  }
}
