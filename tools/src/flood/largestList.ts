import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { Account } from "../chaos/account.ts";
import { evaluate } from "../fuzz/memory.ts";
import type { Stack } from "../stack/stack.ts";

const MAX_BYTES = 8_000_000;
const BLOCKED_MAX_MS = 50;
const CALLS = 9;
const WATCH = `
  globalThis.loopDelay ??= process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: 1 });
  loopDelay.reset(); loopDelay.enable(); 0`;
const READ = "loopDelay.max / 1e6";

/**
 * Asks for the newest messages of all threads of a user with as many friends and messages as there can be. Answers what
 * must not have happened. The event loop counts as blocked for as long as in the median call: in each one something else on
 * the machine may keep the process from running, but what the service does itself takes its time in all of them.
 */
export async function askLargestList(stack: Stack, account: Account, what: string): Promise<string[]> {
  const blocked: number[] = [];
  let bytes = 0;
  let ms = 0;
  for (let call = 0; call < CALLS; call += 1) {
    await evaluate(stack, "svc-messages", WATCH);
    const startedAt = performance.now();
    const path = `/messageoh/messages/${account.id}${call % 2 ? `?limit=${PAGE_MAX_MESSAGES}` : ""}`;
    const response = await fetch(stack.url + path, { headers: { cookie: account.cookie } });
    const answer = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    ms = Math.max(ms, performance.now() - startedAt);
    bytes = Math.max(bytes, answer.byteLength);
    blocked.push(Number(await evaluate(stack, "svc-messages", READ)));
  }
  const sorted = blocked.toSorted((a, b) => a - b).map(Math.round);
  const median = sorted[CALLS >> 1] as number;
  process.stdout.write(
    `largest list of messages (${what}): ${bytes} bytes, ${ms.toFixed(0)} ms at most, event loop of svc-messages blocked for ` +
      `${median} ms in the median call (${sorted.join(", ")})\n`,
  );
  return [
    bytes <= MAX_BYTES ? "" : `a list of messages (${what}) had ${bytes} bytes`,
    median <= BLOCKED_MAX_MS ? "" : `a list of messages (${what}) blocked svc-messages for ${median} ms`,
  ].filter(Boolean);
}
