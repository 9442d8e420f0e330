// Every service preloads this file (`node --import`). It records traces if OTEL_EXPORTER_OTLP_ENDPOINT is set.
export {};

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await import("./telemetry/openTelemetry.ts");
