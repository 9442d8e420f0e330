import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";
import { startTestServices } from "./services.ts";

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}
type Panel = { targets?: { expr: string }[] };

const SERVICES = ["svc-users", "svc-messages", "svc-realtime"];
/** Metrics that Prometheus itself records. */
const PROMETHEUS_METRICS = ["up"];

const read = (...path: string[]) => readFile(join(repoRoot(), ...path), "utf8");
const readMonitoring = (name: string) => read("deploy/monitoring", name);
async function readAlerts(): Promise<Alert[]> {
  return parse(await readMonitoring("alerts.yml")).groups.flatMap(({ rules }: { rules: Alert[] }) => rules);
}
async function readExpressions(): Promise<string[]> {
  const { panels } = JSON.parse(await readMonitoring("grafana/dashboard.json")) as { panels: Panel[] };
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  // Grafana replaces the interval.
  return [
    ...drawn.map((expr) => expr.replaceAll("$__rate_interval", "5m")),
    ...(await readAlerts()).map(({ expr }) => expr),
  ];
}

/** Returns the metrics in an expression; throws if it is not PromQL. */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`Not PromQL: ${expression.slice(0, to)} <- here`);
      if (type.name === "VectorSelector") names.push(/^[\w:]*/.exec(expression.slice(from, to))?.[0] ?? "");
    },
  });
  return names;
}

/** Returns the names of all time series; a histogram has three. */
function namesIn(metrics: string): string[] {
  return [...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name as string],
  );
}

it("parses PromQL and rejects invalid expressions", () => {
  expect(metricsIn('sum by (le) (rate(a_total{b=~"c"}[5m])) > 2 * up')).toEqual(["a_total", "up"]);
  expect(() => metricsIn("sum(rate(a_total[5m])")).toThrow("Not PromQL");
});

it("uses metrics that the services export, and every metric of the product", async () => {
  const { users, messages, realtime, stop } = await startTestServices(1);
  const texts = await Promise.all(
    [...users, ...messages, ...realtime].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  ).finally(stop);
  const existing = new Set([...PROMETHEUS_METRICS, ...texts.flatMap(namesIn)]);
  const wanted = new Set((await readExpressions()).flatMap(metricsIn));
  expect(wanted.size).toBeGreaterThan(20);
  expect([...wanted].filter((name) => !existing.has(name))).toEqual([]);
  const own = [...existing].filter((name) => name.startsWith("messageoh_") && !/_(bucket|sum)$/.test(name));
  const seen = [...wanted].join(" ");
  expect(own.filter((name) => !seen.includes(name.replace(/_count$/, "")))).toEqual([]);
}, 60_000);

it("explains every alert and gives it a severity", async () => {
  const alerts = await readAlerts();
  const headings = (await read("docs/operations.md")).match(/^#+ .*$/gm) ?? [];
  for (const { alert, for: lasting, labels, annotations } of alerts) {
    expect(lasting).toMatch(/^\d+[sm]$/);
    expect(["critical", "warning", "info"]).toContain(labels.severity);
    expect(annotations.summary).not.toBe("");
    expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(headings).toContain(`### ${alert}`);
  }
});

it("scrapes every instance of every service", async () => {
  const { scrape_configs, rule_files } = parse(await readMonitoring("prometheus.yml"));
  expect(rule_files).toEqual(["alerts.yml"]);
  expect(
    scrape_configs.map(({ job_name, dns_sd_configs }: { job_name: string; dns_sd_configs: object[] }) => [
      job_name,
      dns_sd_configs,
    ]),
  ).toEqual(SERVICES.map((name) => [name, [expect.objectContaining({ names: [name], type: "A", port: 3000 })]]));
});
