import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path/posix";
import { parse } from "yaml";
import { Dependencies } from "./dependencies.ts";
import { findTitleFault } from "./title.ts";

const ROOT = join(__dirname, "../../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const { files, workspaces } = new Dependencies(ROOT);
const folders = [...workspaces.values()].sort();

describe("CODEOWNERS", () => {
  const lines = read(".github/CODEOWNERS")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(/\s+/));
  const TEAMS = ["@messageoh/sign-in", "@messageoh/chat", "@messageoh/platform"];

  it("names the three teams only", () => {
    const owners = new Set(lines.flatMap(([, ...named]) => named));
    expect([...owners].sort()).toEqual([...TEAMS].sort());
  });

  it("names paths that exist", () => {
    const matches =
      (pattern = "") =>
      (file: string) =>
        pattern === "*" || `/${file}`.startsWith(pattern) || matchesGlob(`/${file}`, pattern);
    expect(lines.filter(([pattern]) => !files.some(matches(pattern)))).toEqual([]);
  });

  it("assigns every deployable to a team explicitly", () => {
    const { services } = parse(read("docker-compose.yml")) as {
      services: Record<string, { build?: object; profiles?: string[] }>;
    };
    const shipped = Object.keys(services).flatMap((name) =>
      services[name]?.build && !services[name].profiles ? [`/${name}/`] : [],
    );
    expect(shipped.length).toBeGreaterThan(5);
    expect(shipped.filter((folder) => !lines.some(([pattern]) => pattern === folder))).toEqual([]);
  });
});

it("lists every workspace for release-please with the version of its manifest", () => {
  const { packages } = JSON.parse(read("release-please-config.json")) as { packages: object };
  expect(Object.keys(packages).sort()).toEqual(folders);
  const version = (folder: string) => (JSON.parse(read(join(folder, "package.json"))) as { version: string }).version;
  expect(JSON.parse(read(".release-please-manifest.json"))).toEqual(
    Object.fromEntries(folders.map((folder) => [folder, version(folder)])),
  );
  for (const folder of folders) expect(read(join(folder, "CHANGELOG.md"))).toContain(`## ${version(folder)} (`);
});

it("parses every YAML file of .github", () => {
  const yaml = globSync(".github/**/*.yml", { cwd: ROOT });
  expect(yaml.length).toBeGreaterThan(12);
  for (const file of yaml) expect(() => parse(read(file))).not.toThrow();
});

describe("the title of a pull request", () => {
  it.each([
    "feat(mfe-chat): show typing",
    "fix(mfe-auth,shell)!: sign out everywhere",
    "feat(contracts): bound names",
    "docs: describe the message path",
    "build(deps): bump valibot from 1.5.0 to 1.5.1",
    "chore: release main",
  ])("accepts %j", (title) => expect(findTitleFault(title, folders)).toBeUndefined());

  it.each([
    ["", "form"],
    ["show typing", "form"],
    ["feat(mfe-chat): ", "form"],
    ["feature(mfe-chat): show typing", "type"],
    ["feat(mfe-chta): show typing", "scope"],
    ["feat(mfe-chat,packages): show typing", "scope"],
    ["feat(mfe-chat): show typing.", "full stop"],
  ])("rejects %j", (title, why) => expect(findTitleFault(title, folders)).toContain(why));
});
