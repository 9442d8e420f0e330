import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "./logger.ts";
import type { Tracer } from "./tracing.ts";

const KIND = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

interface Named {
  traceId: string;
  spanId: string;
}

/**
 * OpenTelemetry as the services use it, set up by its own environment variables: where to, how many, how often. Loaded by
 * {@link import("./tracing.ts").startTracing} alone.
 */
export function createTracer(service: string, instance: string, logger: Logger) {
  const warn = (...what: unknown[]) => logger.warn({ what }, "traces");
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);

  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const random = new RandomIdGenerator();
  /** What the span that begins now is called already. */
  let own: Named | undefined;
  const tracerOf = (attributes: Record<string, string>) =>
    new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes(attributes))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [processor],
      idGenerator: {
        generateTraceId: () => own?.traceId ?? random.generateTraceId(),
        generateSpanId: () => own?.spanId ?? random.generateSpanId(),
      },
    }).getTracer("messageoh");
  const services = tracerOf({ "service.name": service, "service.instance.id": instance });
  const browsers = tracerOf({ "service.name": "browser" });

  const start: Tracer = (name, of, { kind, isBrowsers = false, startedAt, attributes }) => {
    const parent = "parent" in of ? parse(of.parent) : undefined;
    if ("parent" in of && !parent) return undefined;
    own = "own" in of ? parse(of.own) : undefined;
    // A browser's flags are not listened to: the sampler decides as for any new trace.
    const context = parent
      ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: 1, isRemote: true })
      : ROOT_CONTEXT;
    const span = (isBrowsers ? browsers : services).startSpan(
      name,
      { kind: KIND[kind], startTime: startedAt, attributes },
      context,
    );
    own = undefined;
    if (!span.isRecording()) return undefined;
    const { traceId, spanId } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      end(failure) {
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: String(failure) });
        span.end();
      },
    };
  };
  return { start, end: () => processor.shutdown() };
}

function parse(traceparent: string | undefined): Named | undefined {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "") ?? [];
  return traceId && spanId ? { traceId, spanId } : undefined;
}
