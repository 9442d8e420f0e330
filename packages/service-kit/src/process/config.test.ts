import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commonConfig, loadConfig } from "./config.ts";

const { INTERNAL_SECRET } = commonConfig;
const SECRET = "a secret of sixteen characters";
const { env } = process;
let dir: string;
let file: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "messageoh-settings-"));
  file = join(dir, "secret");
});
afterAll(() => rm(dir, { recursive: true }));
afterEach(() => {
  process.env = env;
});

/** Returns the errors that `loadConfig` prints before it ends the process, or the setting. */
function load(settings: NodeJS.ProcessEnv): string[] | string {
  process.env = settings;
  const printed = jest.spyOn(console, "error").mockReturnValue();
  const exit = jest.spyOn(process, "exit").mockImplementation((code) => {
    throw code;
  });
  try {
    return loadConfig({ INTERNAL_SECRET }).INTERNAL_SECRET;
  } catch (code) {
    expect(code).toBe(1);
    return printed.mock.calls.flat();
  } finally {
    printed.mockRestore();
    exit.mockRestore();
  }
}

it("reads a setting from the environment, or from a file without its last line break", async () => {
  expect(load({ INTERNAL_SECRET: SECRET })).toBe(SECRET);
  await writeFile(file, `${SECRET}\n`);
  expect(load({ INTERNAL_SECRET_FILE: file })).toBe(SECRET);
});

it("rejects a missing file, a second value and an invalid one", async () => {
  const described = "(Shared secret of calls between services)";
  // The trailing line break is not part of the value, so it is too short.
  await writeFile(file, "fifteen letters\n");
  expect(load({ INTERNAL_SECRET_FILE: file })).toEqual([
    `Setting INTERNAL_SECRET is invalid: it has fewer than 16 characters ${described}`,
  ]);
  expect(load({ INTERNAL_SECRET_FILE: join(dir, "none") })).toEqual([
    `Setting INTERNAL_SECRET cannot be read from INTERNAL_SECRET_FILE: ENOENT ${described}`,
  ]);
  expect(load({ INTERNAL_SECRET_FILE: file, INTERNAL_SECRET: SECRET })).toEqual([
    `Setting INTERNAL_SECRET is set twice: by itself and by INTERNAL_SECRET_FILE ${described}`,
  ]);
});
