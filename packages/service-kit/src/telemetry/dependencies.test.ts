import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseMetrics, sumOf } from "../../testing/metrics.ts";
import { until } from "../../testing/until.ts";
import { type Check, watchDependencies } from "./dependencies.ts";
import { createLogger } from "./logger.ts";
import { readMetrics } from "./metrics.ts";

let lines: Record<string, unknown>[];
let end = () => {};
beforeEach(() => {
  lines = [];
});
afterEach(() => end());

const watch = (checks: Record<string, Check>) => {
  const logger = createLogger("test", "info", { write: (line) => void lines.push(JSON.parse(line)) });
  end = watchDependencies(checks, logger);
};
const responsive = async (dependency: string) =>
  sumOf(parseMetrics((await readMetrics()).text), "messageoh_dependency_responsive", { dependency });

it("reports a dependency that does not respond within three seconds, and its recovery, once each", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let checks = 0;
  watch({
    frozen: () => promise,
    healthy: async () => {
      checks += 1;
    },
  });
  await until(() => checks === 3);
  expect([await responsive("frozen"), await responsive("healthy")]).toEqual([0, 1]);
  resolve();
  await until(async () => (await responsive("frozen")) === 1);
  expect(lines).toMatchObject([
    { level: "error", dependency: "frozen", msg: "dependency does not respond" },
    { level: "info", dependency: "frozen", msg: "dependency responds again" },
  ]);
});

it("reports a dependency whose checks fail, with the error, once", async () => {
  let checks = 0;
  watch({
    refused: async () => {
      checks += 1;
      throw new Error("connection refused");
    },
  });
  await until(() => checks === 3);
  expect(await responsive("refused")).toBe(0);
  expect(lines).toMatchObject([{ dependency: "refused", err: { message: "connection refused" } }]);
});

it("does not blame a dependency for a blocked event loop of this process", async () => {
  const script =
    'const s = require("http").createServer((q, r) => r.end()).listen(0, () => console.log(s.address().port))';
  const server = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = await once(server.stdout, "data");
    let checks = 0;
    watch({
      neighbour: () => {
        checks += 1;
        const response = fetch(`http://127.0.0.1:${Number(port)}/`);
        // Timers run next, before the response is read.
        if (checks === 2) setImmediate(() => block(3_500));
        return response;
      },
    });
    await until(() => checks === 3);
    expect(lines).toEqual([]);
  } finally {
    server.kill();
  }
});

function block(ms: number): void {
  const start = performance.now();
  while (performance.now() - start < ms);
}
