import { readFileSync } from "node:fs";
import type { Config } from "jest";
import { TEST_WORKERS } from "./tools/src/testing/workers.ts";

// Tests state days and times of day, which the zone of the machine must not change.
process.env.TZ = "UTC";

type Project = Exclude<NonNullable<Config["projects"]>[number], string>;

const { workspaces }: { workspaces: string[] } = JSON.parse(
  readFileSync(new URL("./package.json", import.meta.url), "utf8"),
);

/** Workspaces whose tests render components. */
const WITH_COMPONENTS = ["packages/ui-kit", "shell", "mfe-auth", "mfe-chat"];
/** Workspaces whose tests need no MongoDB and Redis. */
const WITHOUT_DATASTORES = [...WITH_COMPONENTS, "packages/contracts", "gateway"];

const RETRIES = "<rootDir>/tools/src/testing/retries.ts";

const ES_MODULES = (
  "msw @msw @mswjs until-async rettime @open-draft headers-polyfill @tus srvx file-type strtok3 token-types " +
  "htmlparser2 domelementtype domhandler domutils dom-serializer entities " +
  "uint8array-extras @tokenizer @borewit thumbhash qr p-limit yocto-queue workbox-[a-z-]+"
).split(" ");

const shared: Project = {
  rootDir: import.meta.dirname,
  setupFilesAfterEnv: [RETRIES],
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/.data/"],
  modulePathIgnorePatterns: ["<rootDir>/.data/", "/dist/"],
  // MSW, tus, file-type and others, with their dependencies, are published as ES modules only.
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join("|")})/)`],
  transform: {
    "\\.svg$": "<rootDir>/packages/ui-kit/testing/pictureTransform.mjs",
    "\\.(ts|tsx|js|mjs)$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2023",
          parser: { syntax: "typescript", tsx: true },
          transform: { react: { runtime: "automatic" } },
        },
        module: { type: "commonjs" },
      },
    ],
  },
  moduleNameMapper: {
    "\\.css$": "<rootDir>/packages/ui-kit/testing/cssModule.ts",
  },
};

/** Returns the jest projects of a workspace, which `jest --selectProjects mfe-chat` selects by name. */
function projectsOf(workspace: string): Project[] {
  const displayName = workspace.replace("packages/", "");
  const project: Project = { ...shared, displayName, roots: [`<rootDir>/${workspace}`] };
  if (!WITHOUT_DATASTORES.includes(workspace)) {
    project.globalSetup = "<rootDir>/tools/src/testing/globalSetup.ts";
    project.globalTeardown = "<rootDir>/tools/src/testing/globalTeardown.ts";
  }
  const unit: Project = { ...project, testMatch: ["**/*.test.ts"] };
  if (!WITH_COMPONENTS.includes(workspace)) return [unit];
  const components: Project = {
    ...project,
    testMatch: ["**/*.test.tsx"],
    testEnvironment: "jest-fixed-jsdom",
    setupFilesAfterEnv: [RETRIES, "<rootDir>/packages/ui-kit/testing/setup.ts"],
  };
  return [unit, components];
}

const config: Config = {
  projects: workspaces.flatMap(projectsOf),
  maxWorkers: TEST_WORKERS,
  // Only a test that hangs takes this long, also on a busy machine.
  testTimeout: 60_000,
};

export default config;
