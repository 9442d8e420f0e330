import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "@playwright/test";
import { addProbe, readProbe } from "./browserProbe.ts";

/** Network conditions, and the factor by which the browser's CPU is throttled. */
export interface Profile {
  name: string;
  mbitPerSecond: number;
  latencyMs: number;
  cpu: number;
}

export const PROFILES: Profile[] = [
  { name: "no limit", mbitPerSecond: 0, latencyMs: 0, cpu: 1 },
  { name: "4G", mbitPerSecond: 9, latencyMs: 60, cpu: 4 },
  { name: "slow 4G", mbitPerSecond: 1.6, latencyMs: 150, cpu: 4 },
];

/** A page and the field that accepts input when the page is ready. */
export interface Screen {
  path: string;
  field: string;
  /** Session of the signed-in user. */
  storage?: BrowserContextOptions["storageState"];
}

export interface Visit {
  requests: number;
  jsKib: number;
  lcpMs: number;
  acceptsMs: number;
}

const QUIET_MS = 400;

/** Opens a screen in a new browser context, then again with a warm cache. */
export async function visitTwice(
  browser: Browser,
  url: string,
  screen: Screen,
  profile: Profile,
): Promise<{ cold: Visit; warm: Visit }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: screen.storage,
  });
  try {
    return { cold: await visit(context, url, screen, profile), warm: await visit(context, url, screen, profile) };
  } finally {
    await context.close();
  }
}

async function visit(context: BrowserContext, url: string, screen: Screen, profile: Profile): Promise<Visit> {
  const page = await context.newPage();
  await addProbe(page, screen.field);
  const devtools = await context.newCDPSession(page);
  const network = await watchNetwork(devtools);
  await throttle(devtools, profile);
  await page.goto(url + screen.path, { waitUntil: "commit" });
  await page.waitForFunction(() => window.probe.acceptsAt > 0);
  await network.quiet(page);
  const { lcp, acceptsAt } = await readProbe(page);
  await page.close();
  return { requests: network.requests, jsKib: network.jsBytes / 1024, lcpMs: lcp, acceptsMs: acceptsAt };
}

async function throttle(devtools: CDPSession, { mbitPerSecond, latencyMs, cpu }: Profile): Promise<void> {
  const throughput = mbitPerSecond === 0 ? -1 : (mbitPerSecond * 1e6) / 8;
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
}

/** Counts requests and script bytes, without the cache and without Socket.IO. */
async function watchNetwork(devtools: CDPSession) {
  const pending = new Set<string>();
  const scripts = new Set<string>();
  const watch = {
    requests: 0,
    jsBytes: 0,
    async quiet(page: Page): Promise<void> {
      for (let quietSince = Date.now(); Date.now() - quietSince < QUIET_MS; await page.waitForTimeout(50)) {
        if (pending.size > 0) quietSince = Date.now();
      }
    },
  };
  devtools.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (!request.url.includes("/socket.io/") && !request.url.startsWith("data:")) pending.add(requestId);
  });
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    if (pending.has(requestId) && /\.js(\?|$)/.test(response.url)) scripts.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (pending.delete(requestId) && encodedDataLength > 0) watch.requests += 1;
    if (scripts.has(requestId)) watch.jsBytes += encodedDataLength;
  });
  devtools.on("Network.loadingFailed", ({ requestId }) => pending.delete(requestId));
  await devtools.send("Network.enable");
  return watch;
}
