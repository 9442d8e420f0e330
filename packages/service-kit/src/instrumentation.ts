// Preload of every service (`node --import`): records traces if OTEL_EXPORTER_OTLP_ENDPOINT names a collector.
export {};

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await import("./telemetry/openTelemetry.ts");
