import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";

export { Counter, Gauge, Histogram };

/** How often a timer looks at the event loop, in milliseconds: the least that `nodejs_eventloop_lag_*` says. By default it is 10, most of what an idle process does. */
const LAG_EVERY_MS = 50;
collectDefaultMetrics({ eventLoopMonitoringPrecision: LAG_EVERY_MS });

/** From what nobody notices to what nobody waits for. */
export const LATENCY_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Seconds a call took, by method, route (never the filled path) and status. */
export const httpDuration = new Histogram({
  name: "http_request_duration_seconds",
  help: "Duration of HTTP calls",
  labelNames: ["method", "route", "status"],
  buckets: LATENCY_BUCKETS_SECONDS,
});

/** All metrics of this process in Prometheus' text format, with its content type. */
export async function readMetrics(): Promise<{ type: string; text: string }> {
  return { type: register.contentType, text: await register.metrics() };
}
