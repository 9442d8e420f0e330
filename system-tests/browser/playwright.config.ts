import { availableParallelism } from "node:os";
import { defineConfig, type PlaywrightTestOptions, type PlaywrightWorkerOptions } from "@playwright/test";
import { CHROMIUM_ONLY, chromiumOptions, firefoxOptions } from "./support/engines.ts";

const { BASE_URL = "http://localhost:8080", DATA_DIR, BROWSER = "chromium" } = process.env;
const { CHROME_PATH, HEADLESS_SHELL_PATH = CHROME_PATH, FIREFOX_PATH } = process.env;
// A second stack for the specs that kill processes or replace releases, which the pages of other tests would notice.
const { SPARE_BASE_URL = BASE_URL, SPARE_DATA_DIR = DATA_DIR } = process.env;
const CHANGING = /(failures.faults|releases.releases|releases.service-worker)\.spec\.ts$/;
const NOTIFYING = /notifications\.spec\.ts$/;

type Use = Partial<PlaywrightTestOptions & PlaywrightWorkerOptions>;

/** Opens a page with a quarter of the work of a complete Chromium, which has windows even if nobody sees them. */
const headlessShell: Use = { launchOptions: chromiumOptions(HEADLESS_SHELL_PATH) };
/** Has notifications. */
const completeChromium: Use = {
  launchOptions: chromiumOptions(CHROME_PATH),
  ...(CHROME_PATH ? {} : { channel: "chromium" }),
};
const firefox: Use = { browserName: "firefox", launchOptions: firefoxOptions(FIREFOX_PATH) };
const isFirefox = BROWSER === "firefox";

// `npm test` starts the stacks and finds a browser. You can also run Playwright against any running stack.
export default defineConfig({
  testDir: "specs",
  outputDir: `../../test-results/${BROWSER}`,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Pages often wait for each other. On a single stack the tests run one after the other.
  workers: SPARE_BASE_URL === BASE_URL ? 1 : availableParallelism() + 1,
  fullyParallel: true,
  projects: [
    {
      name: "changing",
      testMatch: CHANGING,
      workers: 1,
      metadata: { dataDir: SPARE_DATA_DIR },
      use: { ...(isFirefox ? firefox : headlessShell), baseURL: SPARE_BASE_URL },
    },
    {
      name: "notifying",
      testMatch: NOTIFYING,
      workers: 1,
      metadata: { dataDir: DATA_DIR },
      use: { ...(isFirefox ? firefox : completeChromium), baseURL: BASE_URL },
    },
    {
      name: "sharing",
      testIgnore: [CHANGING, NOTIFYING],
      metadata: { dataDir: DATA_DIR },
      use: { ...(isFirefox ? firefox : headlessShell), baseURL: BASE_URL },
    },
  ],
  ...(isFirefox ? { grepInvert: new RegExp(CHROMIUM_ONLY.tag) } : {}),
  forbidOnly: true,
  // In CI, retry once and report the test as flaky.
  retries: process.env.CI ? 1 : 0,
  use: {
    // Without a limit, an action that cannot happen would take the whole time of its test.
    actionTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    // Tests intercept requests, which a service worker would make itself. Its own tests allow it.
    serviceWorkers: "block",
    // Recording every test takes a third of the time; the retry of a failed test in CI is recorded.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
  },
});
