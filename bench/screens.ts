import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { findBrowser } from "../tools/src/engines/browser.ts";
import { repoRoot } from "../tools/src/root.ts";
import { say } from "../tools/src/say.ts";
import { startStack } from "../tools/src/stack/stack.ts";
import { type Crowd, seedCrowd } from "./seed.ts";

// npm run bench:screens: what the login page weighs, and how home behaves with many friends and a long thread.
const FRIENDS = 500;
const MESSAGES = 10_000;
const SENTENCE = "The quick brown fox jumps over the lazy dog, twice. ";

const dataDir = await mkdtemp(join(tmpdir(), "messageoh-bench-"));
Object.assign(process.env, { BCRYPT_COST: "4", LOG_LEVEL: "warn" });
const stack = await startStack({ dataDir, durable: false, raisesLimits: true });
const { CHROME_PATH } = await findBrowser(repoRoot());
const browser = await chromium.launch({ executablePath: CHROME_PATH, args: ["--no-sandbox", "--disable-gpu"] });
try {
  await measureLogin();
  say(`making ${FRIENDS} friends and ${MESSAGES} messages ...`);
  await measureHome(await seedCrowd(stack.url, FRIENDS, MESSAGES));
} finally {
  await browser.close();
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureLogin(): Promise<void> {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  const scripts = new Set<string>();
  let requests = 0;
  let bytes = 0;
  devtools.on("Network.responseReceived", ({ requestId, type }) => {
    requests += 1;
    if (type === "Script") scripts.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${stack.url}/login`);
  await page.getByRole("heading", { name: "Log in to your account" }).waitFor();
  await page.waitForLoadState("networkidle");
  print("/login, requests", requests);
  print("/login, JavaScript over the wire, KiB", (bytes / 1024).toFixed(1));
  await page.close();
}

async function measureHome({ cookie, userId, friendId }: Crowd): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: {
      cookies: [
        { name, value, domain: "localhost", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" },
      ],
      origins: [{ origin: stack.url, localStorage: [{ name: "current-user-id", value: userId }] }],
    },
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      entryTypes: ["longtask"],
    });
  });
  const beganAt = Date.now();
  await page.goto(`${stack.url}/home/${friendId}`);
  const composer = page.getByPlaceholder("Message...");
  await composer.waitFor();
  await page.getByRole("log").getByRole("article").first().waitFor();
  print("/home, thread on screen after, ms", Date.now() - beganAt);
  print("/home, long tasks while opening, ms", await longTasks(page));

  await loadAllHistory(page);
  print("/home, long tasks while loading all history, ms", await longTasks(page));
  await composer.pressSequentially(SENTENCE.repeat(4), { delay: 15 });
  print("/home, long tasks while typing 200 characters, ms", await longTasks(page));
  await context.close();
}

/** Scrolls up until the oldest message is there. */
async function loadAllHistory(page: Page): Promise<void> {
  const log = page.getByRole("log");
  for (let attempt = 0; attempt < 2 * MESSAGES; attempt += 1) {
    await log.evaluate((list) => {
      const scroller = [list, ...list.querySelectorAll("*")].find((part) => part.scrollHeight > part.clientHeight + 10);
      (scroller ?? list.parentElement ?? list).scrollTop = 0;
    });
    if (await log.getByText("message number 1", { exact: true }).isVisible()) return;
    await page.waitForTimeout(30);
  }
}

/** Long tasks (over 50 ms) since the last call, the longest first. */
async function longTasks(page: Page): Promise<string> {
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0));
  return tasks.length === 0
    ? "none"
    : tasks
        .sort((a, b) => b - a)
        .map((ms) => Math.round(ms))
        .join(" ");
}

function print(what: string, value: string | number): void {
  process.stdout.write(`${what.padEnd(52)} ${value}\n`);
}
