import { Key, type WebElement } from "selenium-webdriver";
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
