import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Dependencies } from "./dependencies.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "messageoh-dependencies-"));
  const manifest = (name: string, more: object = {}) => JSON.stringify({ name, ...more });
  const files: Record<string, string> = {
    "package.json": manifest("root", { workspaces: ["app", "packages/*"] }),
    "app/package.json": manifest("app", {
      scripts: { build: "node ../tools/build.ts" },
      devDependencies: { "@a/kit": "1.0.0", react: "1.0.0" },
    }),
    "app/src/main.ts": 'import { a } from "./a.ts";\nexport * from "@a/words/list";',
    "app/src/a.ts": 'const later = () => import("../../shared/b.tsx");',
    "app/Dockerfile": "COPY package.json docs/*.txt ./\nCOPY --from=build secret ./",
    "packages/kit/package.json": manifest("@a/kit"),
    "packages/kit/kit.css": "",
    "packages/words/package.json": manifest("@a/words"),
    "packages/words/list.ts": "",
    "packages/idle/package.json": manifest("@a/idle"),
    "tools/build.ts": 'import "./webpack.ts";',
    "tools/webpack.ts": "",
    "tools/idle.ts": "",
    "shared/b.tsx": "",
    "docs/read.txt": "",
    "secret/key.ts": "",
    "jest.config.ts": 'globalSetup: "<rootDir>/tools/idle.ts"',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  execFileSync("git", ["init", "-q"], { cwd: root });
});

afterEach(() => rmSync(root, { recursive: true }));

it("reaches imports, dependencies, scripts and files copied into an image", () => {
  expect(new Dependencies(root).reach("app")).toEqual([
    "app/Dockerfile",
    "app/package.json",
    "app/src/a.ts",
    "app/src/main.ts",
    "docs/read.txt",
    "packages/kit/kit.css",
    "packages/kit/package.json",
    "packages/words/list.ts",
    "packages/words/package.json",
    "shared/b.tsx",
    "tools/build.ts",
    "tools/webpack.ts",
  ]);
});

it("reaches the files that a jest configuration names", () => {
  expect(new Dependencies(root).reach("jest.config.ts")).toEqual(["jest.config.ts", "tools/idle.ts"]);
});
