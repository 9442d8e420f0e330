import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";

/** An alert of `deploy/monitoring/alerts.yml`. */
export type Alert = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};
type Panel = { targets?: { expr: string }[] };

/** Returns the text of a file in `deploy/monitoring`. */
export const readMonitoring = (name: string) => readFile(join(repoRoot(), "deploy/monitoring", name), "utf8");

/** Returns all alerts. */
export async function readAlerts(): Promise<Alert[]> {
  return parse(await readMonitoring("alerts.yml")).groups.flatMap(({ rules }: { rules: Alert[] }) => rules);
}

/** Returns the expressions of the dashboard and of the alerts. */
export async function readExpressions(): Promise<string[]> {
  const { panels } = JSON.parse(await readMonitoring("grafana/dashboard.json")) as { panels: Panel[] };
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  // Grafana replaces the interval.
  return [
    ...drawn.map((expr) => expr.replaceAll("$__rate_interval", "5m")),
    ...(await readAlerts()).map(({ expr }) => expr),
  ];
}

/** Returns the metrics in an expression; throws if it is not PromQL. */
export function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`Not PromQL: ${expression.slice(0, to)} <- here`);
      if (type.name === "VectorSelector") names.push(/^[\w:]*/.exec(expression.slice(from, to))?.[0] ?? "");
    },
  });
  return names;
}
