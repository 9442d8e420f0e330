import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";
import { parse } from "yaml";
import { metricsIn, readAlerts, readMonitoring } from "./expressions.ts";

type Relabelling = { source_labels: string[]; target_label?: string };

const SERVICES = ["svc-users", "svc-messages", "svc-realtime", "svc-media"];

it("parses PromQL and rejects invalid expressions", () => {
  expect(metricsIn('sum by (le) (rate(a_total{b=~"c"}[5m])) > 2 * up')).toEqual(["a_total", "up"]);
  expect(() => metricsIn("sum(rate(a_total[5m])")).toThrow("Not PromQL");
});

it("explains every alert and gives it a severity", async () => {
  const alerts = await readAlerts();
  const operations = await readFile(join(repoRoot(), "docs/operations.md"), "utf8");
  const headings = operations.match(/^#+ .*$/gm) ?? [];
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

it("scrapes every pod of a service in Kubernetes, with the labels of the alerts and of the autoscaler's metric", async () => {
  const { scrape_configs, ...settings } = parse(await readMonitoring("prometheus.kubernetes.yml"));
  const { scrape_configs: _, ...others } = parse(await readMonitoring("prometheus.yml"));
  expect(settings).toEqual(others);
  const sources = scrape_configs[0].relabel_configs.map(({ target_label, source_labels }: Relabelling) => [
    target_label,
    ...source_labels,
  ]);
  expect(sources).toEqual([
    [undefined, "__meta_kubernetes_pod_label_tier"],
    ["job", "__meta_kubernetes_pod_label_app"],
    ["namespace", "__meta_kubernetes_namespace"],
    ["pod", "__meta_kubernetes_pod_name"],
  ]);
  for (const name of SERVICES) {
    const manifest = await readFile(join(repoRoot(), `deploy/kubernetes/base/${name}.yaml`), "utf8");
    expect(manifest).toContain(`labels: { app: ${name}, tier: service }`);
  }
});
