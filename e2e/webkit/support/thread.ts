import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "@playwright/test";
import { By, Key, type WebElement } from "selenium-webdriver";
import type { TestFile } from "../../support/pictures.ts";
import type { ProtocolClient } from "../../support/protocolClient.ts";
import type { Window } from "./window.ts";

/** Opens the thread of two friends for both. */
export async function bothChat(
  { ann, bob }: { ann: ProtocolClient; bob: ProtocolClient },
  open: () => Promise<Window>,
): Promise<{ hers: Window; his: Window }> {
  const [hers, his] = await Promise.all([open(), open()]);
  await Promise.all([hers.logIn(ann, `/home/${bob.id}`), his.logIn(bob, `/home/${ann.id}`)]);
  await hers.byPlaceholder("Message...");
  return { hers, his };
}

/** Chooses an entry in the menu of a message with the keyboard. */
export async function choose(window: Window, text: string, entry: string): Promise<void> {
  const FIND = `return [...document.querySelectorAll("[role=log] article")]
    .find((message) => message.textContent.includes(arguments[0]))?.querySelector("[aria-label='Message actions']")`;
  await window.sees(text);
  await (await window.run<WebElement>(FIND, text)).sendKeys(Key.RETURN);
  await (await window.byRole("menuitem", entry)).sendKeys(Key.RETURN);
}

/** Chooses files for the next message, as the file chooser returns them. */
export async function attach(window: Window, ...files: TestFile[]): Promise<void> {
  for (const { name, buffer } of files) {
    const path = test.info().outputPath(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, buffer);
    await window.driver.findElement(By.css("input[type=file]")).sendKeys(path);
    await window.sees(name.slice(0, name.lastIndexOf(".")));
  }
  await expect(async () => expect(await window.allByRole("listitem", /Preparing/)).toHaveLength(0)).toPass();
}
