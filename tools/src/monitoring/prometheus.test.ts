import { until } from "@messageoh/stack/ports";
import { startTestServices, type TestServices } from "../testing/services.ts";
import { metricsIn, readAlerts, readExpressions } from "./expressions.ts";
import { startPrometheus } from "./prometheus.ts";

type Rule = { name: string; health: string };
type Target = { labels: { job: string }; health: string; lastError: string };

const INSTANCES = ["svc-media", "svc-messages", "svc-realtime", "svc-realtime", "svc-users"];
/** Metrics that Prometheus itself records. */
const PROMETHEUS_METRICS = ["up"];
/** Alert metrics without a series until the first event, because their labels have too many combinations. */
const FROM_FIRST_EVENT = ["messageoh_realtime_refused_events_total"];

/** Returns the names of all time series; a histogram has three. */
function namesIn(metrics: string): string[] {
  return [...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name as string],
  );
}

let services: TestServices;
beforeAll(async () => {
  services = await startTestServices(2);
}, 60_000);
afterAll(() => services.stop());

it("uses metrics that the services export, and every metric of the product", async () => {
  const { users, messages, realtime, media } = services;
  const texts = await Promise.all(
    [...users, ...messages, ...realtime, ...media].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  const existing = new Set([...PROMETHEUS_METRICS, ...texts.flatMap(namesIn)]);
  const wanted = new Set((await readExpressions()).flatMap(metricsIn));
  expect(wanted.size).toBeGreaterThan(20);
  expect([...wanted].filter((name) => !existing.has(name))).toEqual([]);
  const own = [...existing].filter((name) => name.startsWith("messageoh_") && !/_(bucket|sum)$/.test(name));
  const baseOf = (name: string) => name.replace(/_(bucket|sum|count)$/, "");
  const used = new Set([...wanted].map(baseOf));
  expect(own.filter((name) => !used.has(baseOf(name)))).toEqual([]);
});

it("is scraped by Prometheus, which has a series for every alert and can evaluate every expression", async () => {
  const { users, messages, realtime, media } = services;
  const prometheus = await startPrometheus({
    "svc-users": users,
    "svc-messages": messages,
    "svc-realtime": realtime,
    "svc-media": media,
  });
  try {
    const rules = async () =>
      (await prometheus.get<{ groups: { rules: Rule[] }[] }>("rules")).groups.flatMap((group) => group.rules);
    const targets = async () => (await prometheus.get<{ activeTargets: Target[] }>("targets")).activeTargets;
    const seen = async () => [...(await targets()), ...(await rules())].filter(({ health }) => health !== "unknown");
    const alerts = await readAlerts();
    expect(await until(async () => (await seen()).length === INSTANCES.length + alerts.length, 60_000)).toBe(true);
    const scraped = (await targets()).map(({ labels, health, lastError }) => [labels.job, health, lastError]).sort();
    expect(scraped).toEqual(INSTANCES.map((job) => [job, "up", ""]));
    expect((await rules()).map(({ name, health }) => [name, health])).toEqual(alerts.map(({ alert }) => [alert, "ok"]));

    const wanted = new Set(alerts.flatMap(({ expr }) => metricsIn(expr)));
    const missing = async () => {
      const names = await prometheus.get<string[]>("label/__name__/values");
      return [...wanted].filter((name) => !names.includes(name));
    };
    await until(async () => (await missing()).length <= FROM_FIRST_EVENT.length, 10_000);
    expect(await missing()).toEqual(FROM_FIRST_EVENT);
    for (const expression of await readExpressions()) {
      const { resultType } = await prometheus.get<{ resultType: string }>(
        `query?query=${encodeURIComponent(expression)}`,
      );
      expect([expression, resultType]).toEqual([expression, "vector"]);
    }
  } finally {
    await prometheus.stop();
  }
}, 180_000);
