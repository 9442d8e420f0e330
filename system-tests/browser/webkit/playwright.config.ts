import { defineConfig } from "@playwright/test";

// Playwright only runs these tests; WebKitGTK is driven by WebKitWebDriver, which does not speak Playwright's protocol.
export default defineConfig({
  testDir: ".",
  outputDir: "../../../test-results/webkit",
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: process.env.CI ? 1 : 0,
  use: { baseURL: process.env.BASE_URL ?? "http://localhost:8080" },
});
