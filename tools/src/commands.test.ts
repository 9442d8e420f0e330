import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "@messageoh/stack/command/root";

const read = (file: string) => readFileSync(join(repoRoot(), file), "utf8");
const scriptsOf = (manifest: string) => Object.keys((JSON.parse(read(manifest)) as { scripts?: object }).scripts ?? {});
const files = globSync(["*.md", "*/README.md", "docs/**/*.md", "system-tests/bench/*.ts"], { cwd: repoRoot() });
const commands = files.flatMap((file) =>
  [...read(file).matchAll(/npm run ([a-z:-]*[a-z])(?:[^\n`]*? -w ([\w-]+))?/g)].map(([, script = "", workspace]) => ({
    file,
    script,
    workspace,
  })),
);

it("defines every command that the documentation names", () => {
  const inRoot = new Set(scriptsOf("package.json"));
  const frontends = new Set(["shell", "mfe-auth", "mfe-chat"].flatMap((name) => scriptsOf(`${name}/package.json`)));
  expect(commands.length).toBeGreaterThan(40);
  const missing = commands.filter(({ script, workspace }) => {
    if (workspace === undefined) return !inRoot.has(script) && !frontends.has(script);
    return !scriptsOf(`${workspace}/package.json`).includes(script);
  });
  expect(missing).toEqual([]);
});

it("installs the packages, and the Node that runs TypeScript, before a command of the root uses them", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const direct = Object.entries(scripts).filter(([, script]) => script.startsWith("node "));
  expect(direct).toEqual([]);
});
