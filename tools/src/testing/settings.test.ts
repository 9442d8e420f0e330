import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(__dirname, "../../..");
const WHOLE = {
  PATH: process.env.PATH,
  NODE_ENV: "production",
  PORT: "0",
  INSTANCE: "test",
  REDIS_URL: "redis://127.0.0.1:1",
  MONGO_URL: "mongodb://127.0.0.1:1",
  USERS_URL: "http://127.0.0.1:1",
  MESSAGES_URL: "http://127.0.0.1:1",
  INTERNAL_SECRET: "a secret of sixteen characters",
};

/** How a service ends that is started with these settings, or that it goes on. */
async function start(
  service: string,
  env: Record<string, string | undefined>,
): Promise<{ code: number; said: string }> {
  const options = { cwd: join(ROOT, service), env: env as NodeJS.ProcessEnv, timeout: 15_000 };
  try {
    const { stderr } = await promisify(execFile)(process.execPath, ["src/main.ts"], options);
    return { code: 0, said: stderr };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, said: stderr };
  }
}

describe.each(["svc-users", "svc-messages", "svc-realtime"])("%s in production", (service) => {
  test("does not start without the shared secret, and says what is missing", async () => {
    const { code, said } = await start(service, { ...WHOLE, INTERNAL_SECRET: undefined });
    expect([code, said.trim()]).toEqual([
      1,
      "Setting INTERNAL_SECRET is missing (Shared secret of calls between services)",
    ]);
  }, 30_000);

  test("reads a setting from a file, and names a file that is missing or set besides the value", async () => {
    const dir = await mkdtemp(join(tmpdir(), "messageoh-settings-"));
    const file = join(dir, "secret");
    await writeFile(file, "short\n");
    const { INTERNAL_SECRET, ...rest } = WHOLE;
    const saidOf = async (more: Record<string, string>) => (await start(service, { ...rest, ...more })).said.trim();
    // The file's line break is no part of the value: "short" is too short.
    expect(await saidOf({ INTERNAL_SECRET_FILE: file })).toMatch(/^Setting INTERNAL_SECRET is invalid: .*>=16/);
    expect(await saidOf({ INTERNAL_SECRET_FILE: join(dir, "none") })).toMatch(
      /^Setting INTERNAL_SECRET cannot be read from INTERNAL_SECRET_FILE: ENOENT/,
    );
    expect(await saidOf({ INTERNAL_SECRET_FILE: file, INTERNAL_SECRET })).toMatch(
      /^Setting INTERNAL_SECRET is set twice/,
    );
    await rm(dir, { recursive: true });
  }, 30_000);

  test("names every fault, and shows no value", async () => {
    const { code, said } = await start(service, { NODE_ENV: "production", INTERNAL_SECRET: "tooshort" });
    expect(code).toBe(1);
    for (const name of ["PORT", "REDIS_URL"]) expect(said).toContain(`Setting ${name} is missing`);
    expect(said).toContain("Setting INTERNAL_SECRET is invalid");
    expect(said).not.toContain("tooshort");
  }, 30_000);
});
