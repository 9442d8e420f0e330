import type { Config } from "jest";

// Unit and service tests. Each file that needs an engine opens a database of its own on the shared test engines.
const config: Config = {
  testMatch: ["<rootDir>/{packages,shell,mfe-*,svc-*,gateway,tools}/**/*.test.{ts,tsx}"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/", "/.data/"],
  modulePathIgnorePatterns: ["<rootDir>/.data/", "/dist/"],
  transform: {
    "\\.tsx?$": [
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
  moduleNameMapper: { "\\.(css|svg)$": "<rootDir>/tools/src/testing/assetStub.ts" },
  globalSetup: "<rootDir>/tools/src/testing/globalSetup.ts",
  globalTeardown: "<rootDir>/tools/src/testing/globalTeardown.ts",
  testTimeout: 20_000,
};

export default config;
