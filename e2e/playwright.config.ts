import { defineConfig } from "@playwright/test";

const executablePath = process.env.CHROME_PATH;

// Started by npm test, which brings up a stack and finds a browser; or by hand against any running one.
export default defineConfig({
  testDir: "specs",
  outputDir: "../test-results",
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 1,
  forbidOnly: true,
  // On a machine that nobody watches, one hiccup of the browser must not hide what the other tests say; it is reported.
  retries: process.env.CI ? 1 : 0,
  use: {
    baseURL: process.env.BASE_URL ?? "http://localhost:8080",
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    trace: "retain-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
