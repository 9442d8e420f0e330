import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readArguments } from "../arguments.ts";
import { repoRoot } from "../root.ts";
import { explain } from "../say.ts";
import { answers } from "../stack/services.ts";
import { look } from "./look.ts";
import { withRates } from "./rates.ts";
import { table } from "./table.ts";

// npm run status: the parts of a running stack, drawn anew each second until Ctrl-C.
const EVERY_MS = 1_000;
const CLEAR_BELOW = "\x1b[J";
const TO_THE_TOP = "\x1b[H\x1b[2J";

const HELP = `npm run status -- [options]
  --once         prints one table and ends
  --json         the same as JSON
  --url URL      asks the gateway there whether all services are ready; of containers nothing else can be asked`;
const { values } = readArguments(HELP, {
  options: { once: { type: "boolean" }, json: { type: "boolean" }, url: { type: "string" } },
});
const dataDir = resolve(process.env.DATA_DIR || join(repoRoot(), ".data"));

/** Of containers only the gateway can be asked from outside: it says whether all services are ready. */
async function askGateway(url: string): Promise<number> {
  const isReady = await answers(new URL("/healthz", url).href);
  const text = isReady ? "all services are ready" : "not all services are ready, or nothing answers";
  process.stdout.write(values.json ? `${JSON.stringify({ url, isReady })}\n` : `${url}: ${text}\n`);
  return isReady ? 0 : 1;
}

async function show(): Promise<number> {
  const isLive = process.stdout.isTTY && !values.once && !values.json;
  let before = await look(dataDir);
  for (let since = performance.now(); ; ) {
    await pause(EVERY_MS);
    const now = await look(dataDir);
    const moment = performance.now();
    const rows = withRates(before, now, (moment - since) / 1_000);
    if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    else if (!isLive) process.stdout.write(`${table(rows, process.stdout.isTTY)}\n`);
    else
      process.stdout.write(`${TO_THE_TOP}${table(rows, true)}\n\n${dataDir}, each second; Ctrl-C ends\n${CLEAR_BELOW}`);
    if (!isLive) return rows.every(({ health }) => health === "ready" || health === "running") ? 0 : 1;
    [before, since] = [now, moment];
  }
}

try {
  process.exitCode = values.url ? await askGateway(values.url) : await show();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
