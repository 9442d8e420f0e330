import { join } from "node:path";
import { silenceProgress } from "@messageoh/stack/command/progress";
import { repoRoot } from "@messageoh/stack/command/root";
import { run } from "@messageoh/stack/command/run";
import { findPrometheus } from "@messageoh/stack/dependencies/programs";
import { parse } from "yaml";
import { readAlerts, readMonitoring } from "./expressions.ts";

type RuleTests = { tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[] };

const folder = join(repoRoot(), "deploy/monitoring");

/** Runs promtool in `deploy/monitoring` and returns its output. */
async function promtool(...args: string[]): Promise<string> {
  silenceProgress();
  const { command, env } = await findPrometheus("promtool");
  return run(command, args, { env, cwd: folder });
}

it("is a valid configuration of Prometheus with valid rules", async () => {
  const found = `${(await readAlerts()).length} rules found`;
  expect(await promtool("check", "config", "prometheus.yml")).toContain("prometheus.yml is valid");
  expect(await promtool("check", "rules", "alerts.yml")).toContain(found);
}, 180_000);

it("fires each alert for its condition and no earlier", async () => {
  expect(await promtool("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
}, 180_000);

it("tests each alert both firing and not firing", async () => {
  const { tests } = parse(await readMonitoring("alerts.test.yml")) as RuleTests;
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const tested = (fires: boolean) =>
    new Set(cases.filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname));
  const alerts = new Set((await readAlerts()).map(({ alert }) => alert));
  expect(alerts.size).toBeGreaterThan(10);
  expect(tested(true)).toEqual(alerts);
  expect(tested(false)).toEqual(alerts);
});
