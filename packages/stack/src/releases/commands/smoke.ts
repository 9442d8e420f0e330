import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import type { RemotePointer } from "@messageoh/contracts/releases";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { PlainError, silenceProgress } from "../../command/progress.ts";
import { findBrowser } from "../../dependencies/browser.ts";
import { findRecorded, readRecorded } from "../../frontends/recorded.ts";
import type { Frontend } from "../frontends.ts";

/** Files that the test's browser loads instead of the live ones. */
export type Candidate = {
  /** The `index.html` of the release. */
  shellPage?: string;
  /** Pointers by remote. */
  pointers?: Partial<Record<string, RemotePointer>>;
};

const STEP_TIMEOUT_MS = 15_000;
const BROWSER_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

/** Starts a browser for `work` and closes it. */
export async function withBrowser<Result>(root: string, work: (browser: Browser) => Promise<Result>): Promise<Result> {
  silenceProgress();
  const { CHROME_PATH, HEADLESS_SHELL_PATH } = await findBrowser(root);
  const browser = await chromium.launch({ executablePath: HEADLESS_SHELL_PATH || CHROME_PATH, args: BROWSER_ARGS });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Runs the front end's `smoke.ts` in the live shell at `url` with the candidate. Calls return the responses of
 * `recorded.json`, so that the test does not change live data.
 */
export async function smokeTest(
  browser: Browser,
  root: string,
  url: string,
  frontend: Frontend,
  candidate: Candidate,
): Promise<void> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    const problems = collectProblems(page);
    await serveRecorded(context, join(root, frontend.name));
    await showCandidate(context, candidate);
    const { default: runTest } = (await import(pathToFileURL(join(root, frontend.name, "smoke.ts")).href)) as {
      default: (page: Page) => Promise<void>;
    };
    // Reports an error of the page at once instead of after a timeout of the test.
    const broken = new Promise<never>((_, reject) => page.once("pageerror", reject));
    await Promise.race([runTest(page), broken]).catch((error: Error) => {
      problems.unshift(stripVTControlCharacters(error.message));
    });
    const lines = new Set(problems.map((problem) => `- ${problem.trim().split("\n").slice(0, 3).join("\n  ")}`));
    if (lines.size > 0) throw new PlainError([...lines].join("\n"));
  } finally {
    await context.close();
  }
}

/** Collects errors on the console, except for calls, which fail if no response is recorded. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (entry) => {
    const { url } = entry.location();
    const isCall = /\/(?:messageoh|socket\.io)\//.test(url);
    if (entry.type() === "error" && !isCall) problems.push(`an error on the console: ${entry.text()} (${url})`);
  });
  return problems;
}

async function serveRecorded(context: BrowserContext, dir: string): Promise<void> {
  const responses = readRecorded(dir);
  await context.route("**/socket.io/**", (route) => route.abort());
  await context.route("**/messageoh/**", (route) => {
    const recorded = findRecorded(responses, route.request().method(), route.request().url());
    return recorded
      ? route.fulfill({ json: recorded })
      : route.fulfill({ status: 404, json: { error: "Not recorded" } });
  });
}

async function showCandidate(context: BrowserContext, { shellPage, pointers = {} }: Candidate): Promise<void> {
  const folders: Record<string, string> = { mfe_auth: "mfe-auth", mfe_chat: "mfe-chat" };
  for (const [remote, pointer] of Object.entries(pointers)) {
    await context.route(`**/${folders[remote]}/current.json`, (route) => route.fulfill({ json: pointer }));
  }
  await context.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      // Keep the headers of the gateway's response.
      const response = await route.fetch();
      let body = await response.text();
      if (shellPage) body = withPointersOf(body, shellPage);
      for (const [remote, pointer] of Object.entries(pointers))
        body = putPointer(body, remote, JSON.stringify(pointer));
      return route.fulfill({ response, body });
    },
  );
}

// The minified page has attributes without quotes.
const POINTER = /(<script[^>]*\bid="?pointer-(\w+)"?[^>]*>)([\s\S]*?)(?=<\/script>)/g;

/** Returns the candidate's page with the pointers of the live page. */
function withPointersOf(livePage: string, candidatePage: string): string {
  const live = new Map([...livePage.matchAll(POINTER)].map(([, , name, content]) => [name, content]));
  return candidatePage.replace(POINTER, (_, tag: string, name: string) => tag + (live.get(name) ?? ""));
}

function putPointer(page: string, remote: string, content: string): string {
  return page.replace(POINTER, (whole, tag: string, name: string) => (name === remote ? tag + content : whole));
}
