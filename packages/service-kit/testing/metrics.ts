import { parseMetrics, sumOf } from "../src/telemetry/metricsText.ts";

/** Returns the sum of a metric's samples with these labels from a service's `/metrics`. */
export async function readMetric(url: string, name: string, labels: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  return sumOf(parseMetrics(await response.text()), name, labels);
}
