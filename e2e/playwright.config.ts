import { defineConfig } from "@playwright/test";

const executablePath = process.env.CHROME_PATH;

// `npm test` starts a stack and finds a browser. You can also run Playwright against any running stack.
export default defineConfig({
  testDir: "specs",
  outputDir: "../test-results",
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 1,
  forbidOnly: true,
  // In CI, retry once and report the test as flaky.
  retries: process.env.CI ? 1 : 0,
  use: {
    // Without a limit, an action that cannot happen would take the whole time of its test.
    actionTimeout: 30_000,
    baseURL: process.env.BASE_URL ?? "http://localhost:8080",
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    // Tests intercept requests, which a service worker would make itself. Its own tests allow it.
    serviceWorkers: "block",
    // Recording every test takes a third of the time; the retry of a failed test in CI is recorded.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
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
