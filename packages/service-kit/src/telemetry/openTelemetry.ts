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

/** Probes; and sockets, where each event has a span of its own. */
const UNTRACED = /^\/(healthz|readyz|metrics|internal\/calls|socket\.io\/)/;
/** Attributes that tell of a person: what was searched for, from which address, with which browser. */
const PERSONAL = ["url.query", "client.address", "network.peer.address", "user_agent.original"];

const service = basename(process.cwd());
const instance = process.env.INSTANCE || service;

const logger = createLogger(instance, process.env.LOG_LEVEL || "info");
const warn = (message: string, ...details: unknown[]) => logger.warn({ details }, `OpenTelemetry: ${message}`);
diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);

// Instrumentation of CommonJS modules that ES modules import needs a loader hook; mongodb is required by mongoose.
register({ include: ["node:http", "ioredis"] });

new NodeSDK({
  resource: resourceFromAttributes({ "service.name": service, "service.instance.id": instance }),
  resourceDetectors: [envDetector],
  spanLimits: { attributeValueLengthLimit: 1_000 },
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: ({ url = "" }) => UNTRACED.test(url),
      startIncomingSpanHook: () => Object.fromEntries(PERSONAL.map((name) => [name, undefined])),
    }),
    new UndiciInstrumentation({ ignoreRequestHook: ({ path }) => UNTRACED.test(path) }),
    new MongoDBInstrumentation(),
    new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
  ],
}).start();
