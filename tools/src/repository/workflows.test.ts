import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path/posix";
import { parse } from "yaml";
import { Dependencies } from "./dependencies.ts";

type Job = { uses?: string; "timeout-minutes"?: unknown; steps?: { uses?: string }[] };
type Workflow = {
  on: Record<string, { paths?: string[] } | null>;
  permissions?: Record<string, string>;
  concurrency?: { group: string; "cancel-in-progress": boolean };
  jobs: Record<string, Job>;
};

const ROOT = join(__dirname, "../../..");
const FOLDER = ".github/workflows";
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const workflows = new Map(
  readdirSync(join(ROOT, FOLDER)).map((file) => [
    file.replace(/\.yml$/, ""),
    parse(read(join(FOLDER, file))) as Workflow,
  ]),
);
const workflow = (name: string): Workflow => {
  const found = workflows.get(name);
  if (!found) throw new Error(`There is no workflow ${name}`);
  return found;
};

const repository = new Dependencies(ROOT);
const INSTALL = ["package.json", "package-lock.json", ".npmrc", ".nvmrc", "tools/install.sh"];
const CHECKS = ["biome.json", "jest.config.ts", "tsconfig.base.json"];
const FRONT_ENDS = ["shell", "mfe-auth", "mfe-chat"];
const SERVICES = ["svc-users", "svc-messages", "svc-realtime", "svc-media"];
const dockerfiles = repository.files.filter((file) => /^[^.].*Dockerfile$/.test(file));
const composed = parse(read("docker-compose.yml")) as {
  services: Record<string, { build?: object; profiles?: string[] }>;
};

/** The paths that each workflow checks; the filter must also cover their dependencies. */
const CHECKED: Record<string, string[]> = {
  ...Object.fromEntries(FRONT_ENDS.map((name) => [name, [name, ...CHECKS, "tsconfig.web.json"]])),
  ...Object.fromEntries([...SERVICES, "gateway"].map((name) => [name, [name, ...CHECKS, "tsconfig.node.json"]])),
  images: [
    ...dockerfiles,
    ...FRONT_ENDS,
    ...SERVICES,
    "tools/src/docker",
    "deploy",
    "docker-compose.yml",
    ".dockerignore",
    "system-tests/browser",
  ],
  browser: ["system-tests/browser", "tools/src/test.ts", "gateway", ...FRONT_ENDS, ...SERVICES],
};

describe.each(Object.entries(CHECKED))("the path filter of %s", (name, checked) => {
  const { paths = [] } = workflow(name).on.pull_request ?? {};

  it("covers every dependency of the checked files", () => {
    const needed = [
      ...repository.reach(...checked),
      ...checked.filter((path) => repository.files.includes(path)),
      ...INSTALL,
      `${FOLDER}/${name}.yml`,
      `${FOLDER}/check.yml`,
    ];
    const missing = needed.filter((file) => !paths.some((pattern) => matchesGlob(file, pattern)));
    expect(missing).toEqual([]);
  });

  it("matches existing files only", () => {
    expect(paths.filter((pattern) => !repository.files.some((file) => matchesGlob(file, pattern)))).toEqual([]);
  });

  it("is the same for pull requests and for main", () => {
    expect(workflow(name).on.push).toEqual({ branches: ["main"], paths });
  });
});

it("has a workflow for every deployable", () => {
  const shipped = Object.keys(composed.services).filter(
    (name) => composed.services[name]?.build && !composed.services[name].profiles,
  );
  expect(shipped.length).toBeGreaterThan(5);
  expect(Object.keys(CHECKED)).toEqual(expect.arrayContaining(shipped));
});

describe.each([...workflows])("the workflow %s", (name, { on, permissions, concurrency, jobs }) => {
  it("grants read access only, unless a job requests more", () => {
    expect(permissions).toEqual({ contents: "read" });
  });

  it("cancels its older runs, unless it pushes tags", () => {
    if ("workflow_call" in on) expect(concurrency).toBeUndefined();
    else expect(concurrency).toEqual({ group: expect.any(String), "cancel-in-progress": name !== "versions" });
  });

  it("pins every action by major version or commit and limits the time of its jobs", () => {
    for (const job of Object.values(jobs)) {
      if (job.uses !== undefined) expect(job.uses).toBe("./.github/workflows/check.yml");
      else expect(job["timeout-minutes"]).toBeDefined();
      for (const { uses } of job.steps ?? []) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/);
    }
  });
});
