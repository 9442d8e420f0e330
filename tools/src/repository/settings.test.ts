import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(__dirname, "../../..");
const COMPLETE = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_ENV: "production",
  PORT: "0",
  INSTANCE: "test",
  REDIS_URL: "redis://127.0.0.1:1",
  MONGO_URL: "mongodb://127.0.0.1:1",
  USERS_URL: "http://127.0.0.1:1",
  MESSAGES_URL: "http://127.0.0.1:1",
  MEDIA_URL: "http://127.0.0.1:1",
  INTERNAL_SECRET: "a secret of sixteen characters",
};

/** Starts a service and returns its exit code and output. */
async function start(
  service: string,
  env: Record<string, string | undefined>,
): Promise<{ code: number; output: string }> {
  const options = { cwd: join(ROOT, service), env: env as NodeJS.ProcessEnv, timeout: 60_000 };
  try {
    const { stderr } = await promisify(execFile)(process.execPath, ["src/main.ts"], options);
    return { code: 0, output: stderr };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

describe.each(["svc-users", "svc-messages", "svc-realtime", "svc-media"])("%s in production", (service) => {
  it("does not start without the shared secret and names it", async () => {
    const { code, output } = await start(service, { ...COMPLETE, INTERNAL_SECRET: undefined });
    expect([code, output.trim()]).toEqual([
      1,
      "Setting INTERNAL_SECRET is missing (Shared secret of calls between services)",
    ]);
  }, 120_000);

  it("names every invalid setting and shows no value", async () => {
    const { code, output } = await start(service, { NODE_ENV: "production", INTERNAL_SECRET: "tooshort" });
    expect(code).toBe(1);
    for (const name of ["PORT", "REDIS_URL"]) expect(output).toContain(`Setting ${name} is missing`);
    expect(output).toContain("Setting INTERNAL_SECRET is invalid");
    expect(output).not.toContain("tooshort");
  }, 120_000);
});
