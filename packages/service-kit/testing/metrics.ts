import { parseMetrics, sumOf } from "../src/telemetry/metricsText.ts";

/** Returns the sum of a metric's samples with these labels from a service's `/metrics`. Rejects if it has no such metric. */
export async function readMetric(url: string, name: string, labels: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  // A metric without samples, because none of its labels was counted, has a type.
  if (!new RegExp(`^(# TYPE )?${name}\\b`, "m").test(text)) throw new Error(`No metric is called ${name}`);
  return sumOf(parseMetrics(text), name, labels);
}
