import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PlainError } from "@messageoh/cli/progress";
import { repoRoot } from "@messageoh/cli/root";
import type { ProcessEntry } from "@messageoh/stack/processes/part";

/** What a command releases to. */
export type Target = {
  /** The gateway's static folder. */
  www: string;
  /** Where the stack that serves it answers; undefined while none runs. */
  url: string | undefined;
};

/** The stack of DATA_DIR; WWW_DIR and STACK_URL name one that was started by other means, such as containers. */
export async function findTarget(): Promise<Target> {
  const dataDir = resolve(repoRoot(), process.env.DATA_DIR || ".data");
  const www = process.env.WWW_DIR ? resolve(repoRoot(), process.env.WWW_DIR) : join(dataDir, "www");
  if (!existsSync(www)) {
    throw new PlainError(`There is nothing to release to in ${www}. Start a stack with npm start, or set DATA_DIR.`);
  }
  const url = process.env.STACK_URL ?? gatewayUrl(dataDir);
  return { www, url: url && (await answers(url)) ? url : undefined };
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

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
