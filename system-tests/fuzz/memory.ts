import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@messageoh/stack/stack";

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
      const usage = await evaluate(stack, name, "process.memoryUsage()", ["HeapProfiler.collectGarbage"]);
      const { heapUsed, external, rss } = usage as NodeJS.MemoryUsage;
      return { name, usedMb: (heapUsed + external) / MB, residentMb: rss / MB };
    }),
  );
}

/** Evaluates an expression inside a service, after calling these methods of its inspector, each several times. */
export async function evaluate(stack: Stack, name: string, expression: string, first: string[] = []): Promise<unknown> {
  const log = readFileSync(join(stack.dataDir, "logs", `${name}.log`), "utf8");
  const address = log.match(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/g)?.at(-1);
  if (!address) throw new Error(`${name} cannot be inspected`);
  const inspector = new WebSocket(address);
  await new Promise((resolve, reject) => {
    inspector.onopen = resolve;
    inspector.onerror = reject;
  });
  let lastId = 0;
  const ask = (method: string, params: object = {}) =>
    new Promise<{ result?: { value?: unknown } }>((resolve) => {
      const id = ++lastId;
      inspector.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result);
      });
      inspector.send(JSON.stringify({ id, method, params }));
    });
  for (const method of first) for (let round = 0; round < 3; round += 1) await ask(method);
  const { result } = await ask("Runtime.evaluate", { expression, returnByValue: true });
  inspector.close();
  if (result?.value === undefined) throw new Error(`The inspector of ${name} answered nothing`);
  return result.value;
}
