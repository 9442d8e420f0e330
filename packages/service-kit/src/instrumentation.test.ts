import { execFile } from "node:child_process";
import { promisify } from "node:util";

const PRINT_LOADED = `data:text/javascript,
  import { registerHooks } from "node:module";
  registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });`;

async function loadedWith(env: Record<string, string>): Promise<string> {
  const args = ["--import", PRINT_LOADED, "--import", "@messageoh/service-kit/instrumentation", "--eval", ""];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout;
}

it("loads OpenTelemetry only if an endpoint is set", async () => {
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })).not.toContain("opentelemetry");
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })).toContain("opentelemetry/sdk-node");
});
