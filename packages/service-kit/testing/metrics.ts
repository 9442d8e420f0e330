/** A sample: one line of `/metrics`. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/**
 * Returns the samples of a text in the Prometheus format. Lines in other forms are ignored.
 * See https://prometheus.io/docs/instrumenting/exposition_formats/.
 */
export function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label, content]) => [label, content]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** Returns the sum of the samples of a metric that have all of these labels, or 0 if there are none. */
export function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

/**
 * Returns the sum of a metric's samples with these labels from a service's `/metrics`. Rejects if it has no such
 * metric.
 */
export async function readMetric(url: string, name: string, labels: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  // A metric without samples, because none of its labels was counted, has a type.
  if (!new RegExp(`^(# TYPE )?${name}\\b`, "m").test(text)) throw new Error(`No metric is called ${name}`);
  return sumOf(parseMetrics(text), name, labels);
}
