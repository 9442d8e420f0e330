import { parseMetrics, sumOf } from "../src/telemetry/metricsText.ts";

/** Reads one metric from a service's `/metrics`, as Prometheus would. */
export async function readMetric(url: string, name: string, labels: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  return sumOf(parseMetrics(await response.text()), name, labels);
}
