import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";

export { Counter, Gauge, Histogram };

/**
 * Interval of the event loop measurement, in milliseconds: the smallest value of `nodejs_eventloop_lag_*`. The default
 * of 10 causes most of the work of an idle process.
 */
const LAG_INTERVAL_MS = 50;
collectDefaultMetrics({ eventLoopMonitoringPrecision: LAG_INTERVAL_MS });

/** Buckets from 2 ms to 5 s. */
export const LATENCY_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Durations of HTTP calls, in seconds. The route is the pattern, for example `/messages/:id`, to bound the labels. */
export const httpDuration = new Histogram({
  name: "http_request_duration_seconds",
  help: "Duration of HTTP calls",
  labelNames: ["method", "route", "status"],
  buckets: LATENCY_BUCKETS_SECONDS,
});

/** Returns all metrics of this process in the Prometheus text format, and the content type of that format. */
export async function readMetrics(): Promise<{ type: string; text: string }> {
  return { type: register.contentType, text: await register.metrics() };
}
