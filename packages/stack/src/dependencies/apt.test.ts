import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../command/run.ts";
import { hasApt, unpackPackages } from "./apt.ts";

const NAME = "messageoh-probe";
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "messageoh-apt-"));
});
afterEach(async () => {
  delete process.env.APT_CONFIG;
  await rm(dir, { recursive: true });
});

/** Configures apt with a single repository of one package, and machine settings that allow unsigned packages. */
async function serve(options: string, checksum?: string): Promise<void> {
  const repository = join(dir, "repository");
  const control = `Package: ${NAME}\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: probe\n`;
  await mkdir(join(dir, "package/DEBIAN"), { recursive: true, mode: 0o755 });
  await mkdir(repository);
  await writeFile(join(dir, "package/DEBIAN/control"), control);
  await writeFile(join(dir, "package/probe"), "probe");
  if (hasApt()) await run("dpkg-deb", ["-b", join(dir, "package"), join(repository, "probe.deb")]);
  const deb = await readFile(join(repository, "probe.deb")).catch(() => Buffer.alloc(0));
  const sha256 = checksum ?? createHash("sha256").update(deb).digest("hex");
  await writeFile(
    join(repository, "Packages"),
    `${control}Filename: ./probe.deb\nSize: ${deb.length}\nSHA256: ${sha256}\n`,
  );
  await writeFile(join(dir, "sources.list"), `deb ${options} copy:${repository} ./\n`);
  process.env.APT_CONFIG = join(dir, "apt.conf");
  const settings = {
    "Dir::Etc::sourcelist": join(dir, "sources.list"),
    "Dir::Etc::sourceparts": "-",
    "Acquire::AllowInsecureRepositories": "true",
    "APT::Get::AllowUnauthenticated": "true",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  await writeFile(process.env.APT_CONFIG, lines.join(""));
}
const unpack = () => unpackPackages(join(dir, "prefix"), [NAME]);
/** Returns the expected error; systems without apt fail earlier. */
const because = (reason: RegExp) => (hasApt() ? reason : /ENOENT/);

it("rejects a package of a repository without a signature", async () => {
  await serve("");
  await expect(unpack()).rejects.toThrow(because(/does not have a Release file/));
});

it("rejects a package that does not match its checksum", async () => {
  await serve("[trusted=yes]", "0".repeat(64));
  await expect(unpack()).rejects.toThrow(because(/Hash Sum mismatch/));
  expect(existsSync(join(dir, "prefix/probe"))).toBe(false);
});
