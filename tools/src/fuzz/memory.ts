import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "../stack/stack.ts";

/** Lets every Node process of a stack that is started next be asked for its memory. */
export const INSPECTABLE = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

export interface Memory {
  name: string;
  /** In use after everything that can be freed was freed, in megabytes. */
  usedMb: number;
  residentMb: number;
}

const MB = 1_048_576;

/** What each service holds after a forced garbage collection. */
export async function readMemory(stack: Stack): Promise<Memory[]> {
  const services = stack.processes().filter(({ name }) => name.startsWith("svc-"));
  return Promise.all(
    services.map(async ({ name }) => {
      const log = readFileSync(join(stack.dataDir, "logs", `${name}.log`), "utf8");
      const address = log.match(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/g)?.at(-1);
      if (!address) throw new Error(`${name} cannot be inspected`);
      const { heapUsed, external, rss } = await measure(address);
      return { name, usedMb: (heapUsed + external) / MB, residentMb: rss / MB };
    }),
  );
}

async function measure(address: string): Promise<NodeJS.MemoryUsage> {
  const inspector = new WebSocket(address);
  await new Promise((resolve, reject) => {
    inspector.onopen = resolve;
    inspector.onerror = reject;
  });
  let lastId = 0;
  const ask = (method: string, params: object = {}) =>
    new Promise<{ result?: { value?: NodeJS.MemoryUsage } }>((resolve) => {
      const id = ++lastId;
      inspector.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result);
      });
      inspector.send(JSON.stringify({ id, method, params }));
    });
  for (let round = 0; round < 3; round += 1) await ask("HeapProfiler.collectGarbage");
  const { result } = await ask("Runtime.evaluate", { expression: "process.memoryUsage()", returnByValue: true });
  inspector.close();
  if (!result?.value) throw new Error("The inspector answered nothing");
  return result.value;
}
