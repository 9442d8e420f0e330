import type { Command } from "@messageoh/stack/command/command";
import { type Browser, chromium } from "@playwright/test";

/**
 * Starts Chromium, which ends with the command.
 * @param executablePath a Chromium; without one, Playwright uses its own
 */
export async function launchBrowser({ atEnd }: Command, executablePath: string | undefined): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
    // Playwright would end the process before the command has stopped the stack and removed its folder.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  atEnd(() => browser.close());
  return browser;
}
