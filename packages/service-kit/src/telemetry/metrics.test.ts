import { silentLogger } from "../../testing/datastores.ts";
import { serveForTest } from "../../testing/http.ts";
import { parseMetrics, readMetric, sumOf } from "../../testing/metrics.ts";
import { createHttpApp } from "../http/httpApp.ts";

it("counts calls by route and status, and measures the process", async () => {
  const service = await serveForTest(createHttpApp({ logger: silentLogger, isReady: () => true }).app.callback());
  await service.call("/readyz");
  await service.call("/no/such/call");
  const read = (name: string, labels = {}) => readMetric(service.url, name, labels);
  expect(await read("http_request_duration_seconds_count", { route: "/readyz", status: "200" })).toBe(1);
  expect(await read("http_request_duration_seconds_count", { route: "none", status: "404" })).toBe(1);
  expect(await read("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
  await expect(read("process_resident_memory")).rejects.toThrow("No metric");
  expect(parseMetrics(await (await fetch(`${service.url}/metrics`)).text()).map(({ name }) => name)).toContain(
    "nodejs_eventloop_lag_p99_seconds",
  );
  await service.close();
});

it("parses the Prometheus text format", () => {
  const samples = parseMetrics(
    [
      "# HELP a_total Things",
      "# TYPE a_total counter",
      'a_total{b="x",c="say \\"hi\\", {you}"} 2',
      "a_total 3 1700000",
      "d 1e-3",
      "",
    ].join("\n"),
  );
  expect(samples).toEqual([
    { name: "a_total", labels: { b: "x", c: 'say \\"hi\\", {you}' }, value: 2 },
    { name: "a_total", labels: {}, value: 3 },
    { name: "d", labels: {}, value: 0.001 },
  ]);
  expect([sumOf(samples, "a_total"), sumOf(samples, "a_total", { b: "x" }), sumOf(samples, "e")]).toEqual([5, 2, 0]);
});
