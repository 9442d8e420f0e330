import { logProgress } from "@messageoh/stack/command/progress";
import { printTable } from "@messageoh/stack/command/table";
import type { BrowserContext } from "@playwright/test";
import { format, median } from "../figures.ts";
import { addProbe, readProbe } from "./browserProbe.ts";
import type { Visitor } from "./visitor.ts";

interface Visit {
  requests: number;
  jsKib: number;
  /**
   * The part of the scripts that was requested before the field accepted input. The rest also works without a network.
   */
  jsToInputKib: number;
  lcpMs: number;
  acceptsMs: number;
}

/** A page and the field that accepts input when the page is ready. */
type Screen = { path: string; field: string };

/**
 * Opens /login and /home in a new browser context, then again with a warm cache. Returns the size of the scripts of the
 * first visits. A slow phone is Lighthouse's part.
 */
export async function measureOpening(
  { browser, url, crowd, session }: Visitor,
  rounds: number,
): Promise<Record<string, number>> {
  const screens = [
    { name: "login", path: "/login", field: 'input[name="username"]', storageState: undefined },
    { name: "home", path: `/home/${crowd.friendId}`, field: "textarea", storageState: session },
  ];
  const visits = new Map<string, Visit[]>();
  // Round 0 is warm-up: gateway, disk, and the browser's cache of compiled code.
  for (let round = 0; round <= rounds; round += 1) {
    logProgress(round === 0 ? "opening, warm-up ..." : `opening, round ${round} of ${rounds} ...`);
    for (const { name, storageState, ...screen } of screens) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, storageState });
      for (const cache of ["cold", "warm"]) {
        const key = `${name}, ${cache}`;
        const visited = await visit(context, url, screen);
        if (round > 0) visits.set(key, [...(visits.get(key) ?? []), visited]);
      }
      await context.close();
    }
  }
  const medianOf = (key: string, figure: keyof Visit) => median((visits.get(key) ?? []).map((one) => one[figure]));
  process.stdout.write("\nMedians\n\n");
  printTable(
    ["", "requests", "JS KiB", "JS KiB to input", "LCP ms", "accepts input after ms"],
    [...visits.keys()].map((key) => [
      key,
      ...(["requests", "jsKib", "jsToInputKib", "lcpMs", "acceptsMs"] as const).map((figure) =>
        format(medianOf(key, figure)),
      ),
    ]),
  );
  return {
    login_js_kib: medianOf("login, cold", "jsKib"),
    home_js_kib: medianOf("home, cold", "jsKib"),
    home_js_to_input_kib: medianOf("home, cold", "jsToInputKib"),
  };
}

async function visit(context: BrowserContext, url: string, { path, field }: Screen): Promise<Visit> {
  const page = await context.newPage();
  await addProbe(page, field);
  await page.goto(url + path, { waitUntil: "commit" });
  await page.waitForFunction(() => window.probe.acceptsAt > 0);
  await page.waitForLoadState("networkidle");
  const { lcp, acceptsAt } = await readProbe(page);
  const loaded = await page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((entry) => {
      const { name, startTime, encodedBodySize, transferSize } = entry as PerformanceResourceTiming;
      return { name, startTime, bytes: transferSize > 0 ? encodedBodySize : 0 };
    }),
  );
  await page.close();
  const fetched = loaded.filter(({ name, bytes }) => bytes > 0 && !name.includes("/socket.io/"));
  const scripts = fetched.filter(({ name }) => /\.js(\?|$)/.test(name));
  const kibUntil = (ms: number) =>
    scripts.reduce((sum, { startTime, bytes }) => (startTime < ms ? sum + bytes : sum), 0) / 1024;
  const [jsKib, jsToInputKib] = [kibUntil(Number.POSITIVE_INFINITY), kibUntil(acceptsAt)];
  return { requests: fetched.length, jsKib, jsToInputKib, lcpMs: lcp, acceptsMs: acceptsAt };
}
