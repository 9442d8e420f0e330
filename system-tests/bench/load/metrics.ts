import { parseMetrics, type Sample, sumOf } from "@messageoh/service-kit/testing/metrics";
import type { ProcessEntry } from "@messageoh/stack/processes/part";

/** Reads the metrics of all processes whose name starts with `prefix`. */
export async function scrape(processes: readonly ProcessEntry[], prefix: string): Promise<Sample[]> {
  const scraped = processes.filter(({ name }) => name.startsWith(prefix));
  const texts = scraped.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  return (await Promise.all(texts)).flatMap(parseMetrics);
}

/** Returns the batches that all svc-messages instances have stored, and their insert commands. */
export async function readInserts(processes: readonly ProcessEntry[]): Promise<{ batches: number; attempts: number }> {
  const samples = await scrape(processes, "svc-messages");
  return {
    batches: sumOf(samples, "messageoh_messages_batch_items_count"),
    attempts: sumOf(samples, "messageoh_messages_insert_attempts_total"),
  };
}
