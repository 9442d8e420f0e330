import { text } from "node:stream/consumers";
import { serveForTest } from "@messageoh/service-kit/testing/http";

interface Context {
  traceId: string;
  spanId: string;
}
type Attributes = Record<string, string | number | undefined>;

/** A span as a collector receives it. */
export interface ReceivedSpan extends Context {
  service: string;
  /** Name of the instrumentation library. */
  scope: string;
  name: string;
  kind: number;
  parentSpanId?: string;
  links: Context[];
  attributes: Attributes;
  isFailed: boolean;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}
interface ExportedSpan extends Omit<ReceivedSpan, "attributes"> {
  attributes: Attribute[];
  status?: { code?: number };
}
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { scope: { name: string }; spans: ExportedSpan[] }[];
  }[];
}
const FAILED = 2;

const attributesOf = (attributes: Attribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** Starts a collector for OTEL_EXPORTER_OTLP_ENDPOINT: accepts OTLP over HTTP as JSON and keeps the spans. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const { url, close } = await serveForTest(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
      const service = String(attributesOf(resource.attributes)["service.name"]);
      for (const { scope, spans: exported } of scopeSpans) {
        for (const { attributes, status, links = [], ...span } of exported) {
          const isFailed = status?.code === FAILED;
          spans.push({ ...span, service, scope: scope.name, links, attributes: attributesOf(attributes), isFailed });
        }
      }
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  /** Returns all received requests as text. */
  return { url, spans, text: () => bodies.join("\n"), close };
}
