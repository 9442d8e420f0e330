import { PAGE_MAX_MESSAGES } from "@messageoh/contracts/limits";
import type { Stack } from "@messageoh/stack/stack";
import type { Account } from "../client/account.ts";
import { evaluate } from "../fuzz/memory.ts";

export const MAX_BYTES = 8_000_000;
const BLOCKED_MAX_MS = 50;
const CALLS = 10;
/** Measures the longest turn of the event loop in CPU time, which excludes other processes. */
const WATCH = `
  globalThis.turns = { longest: 0, isOn: true };
  (function turn() {
    const { user, system } = process.threadCpuUsage();
    turns.longest = Math.max(turns.longest, user + system - (turns.last ?? Infinity));
    turns.last = user + system;
    if (turns.isOn) setImmediate(turn);
  })();
  0`;
const READ = "turns.isOn = false; turns.longest / 1000";

/**
 * Reads the newest messages of all threads of a user with the maximum data, and returns violated bounds.
 * @param minBytes less means that the list was not the largest one
 */
export async function checkLargestList(
  stack: Stack,
  account: Account,
  description: string,
  minBytes: number,
): Promise<string[]> {
  const blocked: number[] = [];
  let bytes = 0;
  let ms = 0;
  for (let call = 0; call < CALLS; call += 1) {
    await evaluate(stack, "svc-messages", WATCH);
    const startedAt = performance.now();
    const path = `/messageoh/messages/${account.id}${call % 2 ? `?limit=${PAGE_MAX_MESSAGES}` : ""}`;
    const response = await fetch(stack.url + path, { headers: { cookie: account.cookie } });
    const body = await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`);
    ms = Math.max(ms, performance.now() - startedAt);
    bytes = Math.max(bytes, body.byteLength);
    blocked.push(Number(await evaluate(stack, "svc-messages", READ)));
  }
  const longest = Math.max(...blocked);
  process.stdout.write(
    `largest list of messages (${description}): ${bytes} bytes, ${ms.toFixed(0)} ms at most, svc-messages blocked for ` +
      `${longest.toFixed(0)} ms at most (${blocked.map(Math.round).join(", ")})\n`,
  );
  return [
    bytes >= minBytes && bytes <= MAX_BYTES ? "" : `a list of messages (${description}) had ${bytes} bytes`,
    longest <= BLOCKED_MAX_MS
      ? ""
      : `a list of messages (${description}) blocked svc-messages for ${longest.toFixed(0)} ms`,
  ].filter(Boolean);
}
