import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A recorded step, as far as tests look at it. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  isFailed: boolean;
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: { name: string; traceId: string; spanId: string; parentSpanId?: string; status?: { code?: number } }[];
    }[];
  }[];
}
const FAILED = 2;

/** What OTEL_EXPORTER_OTLP_ENDPOINT may point at: takes traces over HTTP, as JSON, and keeps their steps. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { name, traceId, spanId, parentSpanId, status } = span;
        spans.push({ service, name, traceId, spanId, parentSpanId, isFailed: status?.code === FAILED });
      }
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
