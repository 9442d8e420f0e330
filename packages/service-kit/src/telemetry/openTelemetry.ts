import { basename } from "node:path";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { IORedisInstrumentation } from "@opentelemetry/instrumentation-ioredis";
import { MongoDBInstrumentation } from "@opentelemetry/instrumentation-mongodb";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { register } from "import-in-the-middle/register-hooks.mjs";
import { createLogger } from "./logger.ts";

/** Paths without a span: probes, and sockets, whose events have their own spans. */
const UNTRACED = /^\/(healthz|readyz|metrics|internal\/calls|socket\.io\/)/;
/** Attributes with personal data, which are removed: search texts, client addresses and browsers. */
const PERSONAL = ["url.query", "client.address", "network.peer.address", "user_agent.original"];

const service = basename(process.cwd());
const instance = process.env.INSTANCE || service;

const logger = createLogger(instance, process.env.LOG_LEVEL || "info");
const warn = (message: string, ...details: unknown[]) => logger.warn({ details }, `OpenTelemetry: ${message}`);
diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);

// A loader hook is needed to instrument modules that ES modules import. mongodb needs none: mongoose requires it.
register({ include: ["node:http", "ioredis"] });

new NodeSDK({
  resource: resourceFromAttributes({ "service.name": service, "service.instance.id": instance }),
  resourceDetectors: [envDetector],
  spanLimits: { attributeValueLengthLimit: 1_000 },
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [
    new HttpInstrumentation({
      // They go to the sites of links, to push services and to S3; undici makes the calls between services. A span
      // would contain the address, and the request would tell the site the trace.
      disableOutgoingRequestInstrumentation: true,
      ignoreIncomingRequestHook: ({ url = "" }) => UNTRACED.test(url),
      startIncomingSpanHook: () => Object.fromEntries(PERSONAL.map((name) => [name, undefined])),
    }),
    new UndiciInstrumentation({ ignoreRequestHook: ({ path }) => UNTRACED.test(path) }),
    new MongoDBInstrumentation(),
    new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
  ],
}).start();
