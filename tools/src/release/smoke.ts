import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { PlainError, silenceProgress } from "@messageoh/cli/progress";
import type { RemotePointer } from "@messageoh/contracts/releases";
import { findRecorded, readRecorded } from "@messageoh/frontend-build/recorded";
import type { Frontend } from "@messageoh/frontend-build/releases/frontends";
import { findBrowser } from "@messageoh/stack/dependencies/browser";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";

/** What one page sees in place of what is live. Nobody else can see it: it is put in by the test's own browser. */
export type Candidate = {
  /** The page of a shell that is not live, as it lies in its folder. */
  shellPage?: string;
  /** Pointers to releases of remotes that are not live. */
  pointers?: Partial<Record<string, RemotePointer>>;
};

const STEP_TIMEOUT_MS = 15_000;
const BROWSER_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

/** A browser for smoke tests, and its end. */
export async function withBrowser<Result>(root: string, work: (browser: Browser) => Promise<Result>): Promise<Result> {
  silenceProgress();
  const { CHROME_PATH } = await findBrowser(root);
  const browser = await chromium.launch({ executablePath: CHROME_PATH, args: BROWSER_ARGS });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Walks through `frontend` as its own `smoke.ts` says, in the live shell at `url` with the candidate in its place. Calls
 * get the recorded answers of `recorded.json`: a smoke test leaves nothing behind in live data.
 */
export async function smokeTest(
  browser: Browser,
  root: string,
  url: string,
  frontend: Frontend,
  candidate: Candidate,
): Promise<void> {
  const context = await browser.newContext({ baseURL: url });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    const problems = collectProblems(page);
    await answerFromRecord(context, join(root, frontend.name));
    await showCandidate(context, candidate);
    const { default: walk } = (await import(pathToFileURL(join(root, frontend.name, "smoke.ts")).href)) as {
      default: (page: Page) => Promise<void>;
    };
    // What breaks the page is told at once, not when the walk has waited long enough for what will not come.
    const broken = new Promise<never>((_, reject) => page.once("pageerror", reject));
    await Promise.race([walk(page), broken]).catch((error: Error) => {
      problems.unshift(stripVTControlCharacters(error.message));
    });
    const lines = new Set(problems.map((problem) => `- ${problem.trim().split("\n").slice(0, 3).join("\n  ")}`));
    if (lines.size > 0) throw new PlainError([...lines].join("\n"));
  } finally {
    await context.close();
  }
}

/** Errors of the page that its look need not tell. Calls fail on purpose: what is not recorded does not exist. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (entry) => {
    const { url } = entry.location();
    const isCall = /\/(?:messageoh|socket\.io)\//.test(url);
    if (entry.type() === "error" && !isCall) problems.push(`an error on the console: ${entry.text()} (${url})`);
  });
  return problems;
}

async function answerFromRecord(context: BrowserContext, dir: string): Promise<void> {
  const answers = readRecorded(dir);
  await context.route("**/socket.io/**", (route) => route.abort());
  await context.route("**/messageoh/**", (route) => {
    const answer = findRecorded(answers, route.request().method(), route.request().url());
    return answer ? route.fulfill({ json: answer }) : route.fulfill({ status: 404, json: { error: "Not recorded" } });
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
      // The gateway's own answer, so that its headers apply.
      const response = await route.fetch();
      let body = await response.text();
      if (shellPage) body = withPointersOf(body, shellPage);
      for (const [remote, pointer] of Object.entries(pointers))
        body = putPointer(body, remote, JSON.stringify(pointer));
      return route.fulfill({ response, body });
    },
  );
}

// The page is minified: its attributes may have no quotes.
const POINTER = /(<script[^>]*\bid="?pointer-(\w+)"?[^>]*>)([\s\S]*?)(?=<\/script>)/g;

/** The candidate's page with the pointers that the gateway has put into the live one. */
function withPointersOf(livePage: string, candidatePage: string): string {
  const live = new Map([...livePage.matchAll(POINTER)].map(([, , name, content]) => [name, content]));
  return candidatePage.replace(POINTER, (_, tag: string, name: string) => tag + (live.get(name) ?? ""));
}

function putPointer(page: string, remote: string, content: string): string {
  return page.replace(POINTER, (whole, tag: string, name: string) => (name === remote ? tag + content : whole));
}
