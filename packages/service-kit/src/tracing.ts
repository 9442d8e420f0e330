import type { Logger } from "./logger.ts";

/** One step of a trace, recorded when it ends. */
export interface Step {
  /** Names this step to the next one, wherever that runs (W3C Trace Context). */
  readonly traceparent: string;
  /** @param failure what it failed with, if it did */
  end(failure?: unknown): void;
}

export interface StepOptions {
  kind: "client" | "server" | "producer" | "consumer";
  /** A step of the page, which records nothing itself: it is told of on its behalf. */
  isBrowsers?: boolean;
  /** When it began, if not now; in milliseconds. */
  startedAt?: number;
  attributes?: Record<string, string | number>;
}

/** Begins a step under a parent, or a trace: `own` is then what its first step is called already. */
export type Tracer = (
  name: string,
  of: { parent: string } | { own: string | undefined },
  options: StepOptions,
) => Step | undefined;

let tracer: Tracer | undefined;

/** Whether traces are recorded. */
export const isTracing = (): boolean => tracer !== undefined;

/** Begins a trace; nothing where none are recorded, or this one is not sampled. */
export const startTrace = (name: string, own: string | undefined, options: StepOptions): Step | undefined =>
  tracer?.(name, { own }, options);

/** Begins the next step of a trace; nothing where there is none. */
export const startStep = (name: string, parent: string | undefined, options: StepOptions): Step | undefined =>
  parent === undefined ? undefined : tracer?.(name, { parent }, options);

/**
 * Begins to record traces if `OTEL_EXPORTER_OTLP_ENDPOINT` says where they go. Without it nothing of OpenTelemetry is
 * even loaded.
 * @returns what sends the last ones and ends it
 */
export async function startTracing(service: string, instance: string, logger: Logger): Promise<() => Promise<void>> {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {};
  const { createTracer } = await import("./openTelemetry.ts");
  const { start, end } = createTracer(service, instance, logger);
  tracer = start;
  return end;
}
