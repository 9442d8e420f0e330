import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@messageoh/stack/stack";

// A collection of garbage that measures memory must not drop compiled code, because that makes the next calls slow.
const KEEP_CODE = 'process.getBuiltinModule("node:v8").setFlagsFromString("--no-flush-bytecode")';
/** Environment that opens the inspector of every service in a stack. */
export const INSPECTABLE = {
  NODE_OPTIONS: `--inspect=127.0.0.1:0 --import=data:text/javascript,${encodeURIComponent(KEEP_CODE)}`,
};

export interface Memory {
  name: string;
  /** Megabytes in use after garbage collection. */
  usedMb: number;
  residentMb: number;
}

const MB = 1_048_576;

/** Returns the memory of each service after a forced garbage collection. */
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

/** Evaluates an expression in a service, after three calls of each of the inspector methods in `first`. */
export async function evaluate(stack: Stack, name: string, expression: string, first: string[] = []): Promise<unknown> {
  const log = readFileSync(join(stack.dataDir, "logs", `${name}.log`), "utf8");
  const address = log.match(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/g)?.at(-1);
  if (!address) throw new Error(`${name} has no inspector`);
  const inspector = new WebSocket(address);
  await new Promise((resolve, reject) => {
    inspector.onopen = resolve;
    inspector.onerror = reject;
  });
  let lastId = 0;
  const call = (method: string, params: object = {}) =>
    new Promise<{ result?: { value?: unknown } }>((resolve) => {
      const id = ++lastId;
      inspector.addEventListener("message", ({ data }) => {
        const response = JSON.parse(String(data));
        if (response.id === id) resolve(response.result);
      });
      inspector.send(JSON.stringify({ id, method, params }));
    });
  for (const method of first) for (let round = 0; round < 3; round += 1) await call(method);
  const { result } = await call("Runtime.evaluate", { expression, returnByValue: true });
  inspector.close();
  if (result?.value === undefined) throw new Error(`The inspector of ${name} returned no value`);
  return result.value;
}
