import { setTimeout as pause } from "node:timers/promises";
import {
  type Attributes,
  context,
  type ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

export { SpanKind };

/** Whether this process records traces. If so, `instrumentation.ts` has started the OpenTelemetry SDK. */
const isTracing = Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);

/** An item that may belong to a recorded trace. */
interface Traced {
  /** Trace and span as in the header of W3C Trace Context. */
  traceparent?: string | undefined;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The items of the work. The span is part of the trace of the first item with one, and links to the spans of all. */
  of?: readonly Traced[];
}

/** Longest wait for the export of the last spans, in milliseconds. */
const EXPORT_MAX_MS = 2_000;
const tracer = trace.getTracer("messageoh");
const contextOf = (traceparent: string) => propagation.extract(ROOT_CONTEXT, { traceparent });

/** Runs `work` within a span and returns its result. If `work` throws or rejects, the span gets the status error. */
export function inSpan<T>(name: string, { kind, attributes, of = [] }: SpanOptions, work: () => T): T {
  if (!isTracing) return work();
  const contexts = of.flatMap(({ traceparent }) => (traceparent ? contextOf(traceparent) : []));
  const links = contexts.flatMap((linked) => trace.getSpanContext(linked) ?? []).map((context) => ({ context }));
  const parent = contexts[0] ?? ROOT_CONTEXT;
  const span = tracer.startSpan(name, { kind, attributes, links }, parent);
  const end = () => span.end();
  const fail = (error: unknown) => span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) }).end();
  try {
    const result = context.with(trace.setSpan(parent, span), work);
    if (result instanceof Promise) void result.then(end, fail);
    else end();
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}

/** Runs background work outside the current trace, which must not wait for it, and returns its result. */
export const outsideTrace = <T>(work: () => T): T => (isTracing ? context.with(ROOT_CONTEXT, work) : work());

/** Returns the `traceparent` of the current span, or `undefined` if it is not recorded. */
export function currentTraceparent(): string | undefined {
  if (!isTracing || !trace.getActiveSpan()?.isRecording()) return undefined;
  const carrier: Traced = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Names the span of the current HTTP request after its method and route, and adds the request id. */
export function nameRequestSpan(method: string, route: string, requestId: string): void {
  if (!isTracing) return;
  const attributes = { "http.route": route, "messageoh.request_id": requestId };
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttributes(attributes);
}

/** Exports the remaining spans. Resolves after {@link EXPORT_MAX_MS} even if the collector has not responded. */
export async function endTracing(): Promise<void> {
  const provider = (trace.getTracerProvider() as ProxyTracerProvider).getDelegate();
  await Promise.race([(provider as { shutdown?: () => Promise<void> }).shutdown?.(), pause(EXPORT_MAX_MS)]);
}
