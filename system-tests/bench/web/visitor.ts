import type { Browser, BrowserContextOptions } from "@playwright/test";
import type { Crowd } from "./seed.ts";

export type StorageState = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

/** A browser, and the user whose pages it measures. */
export interface Visitor {
  browser: Browser;
  /** The program of the browser; without one, Playwright uses its own. */
  executablePath: string | undefined;
  url: string;
  crowd: Crowd;
  /** Session of the user. */
  session: StorageState;
  /** How many times slower Chromium shall be while a user interacts. */
  slowdown: number;
}
