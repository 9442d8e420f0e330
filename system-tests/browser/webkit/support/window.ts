import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "@playwright/test";
import { By, Key, type WebDriver, type WebElement } from "selenium-webdriver";
import type { Named } from "../../support/person.ts";
import type { ProtocolClient } from "../../support/protocolClient.ts";

/** Finds elements by role and name inside the page, because WebDriver has no such locator. */
const FINDER = readFileSync(
  createRequire(import.meta.url).resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);
const WAIT_MS = 30_000;

/** The window of a user in WebKitGTK. Elements are found by what a person perceives, as in the Playwright helpers. */
export class Window {
  readonly driver: WebDriver;
  readonly #baseUrl: string;

  constructor(driver: WebDriver, baseUrl: string) {
    this.driver = driver;
    this.#baseUrl = baseUrl;
  }

  /** Opens /home with the session of a protocol client. */
  async logIn(user: ProtocolClient, path = "/home"): Promise<void> {
    const [name = "", value = ""] = user.cookie.split("=");
    await this.goto("/not-found");
    await this.driver.manage().addCookie({ name, value, path: "/", httpOnly: true, sameSite: "Strict" });
    await this.driver.executeScript("localStorage.setItem('current-user-id', arguments[0])", user.id);
    await this.goto(path);
    await this.sees(`Hi ${user.name}!`);
  }

  goto(path: string): Promise<void> {
    return this.driver.get(this.#baseUrl + path);
  }

  /** Runs a function in the page. */
  run<Result>(script: string, ...args: unknown[]): Promise<Result> {
    return this.driver.executeScript<Result>(script, ...args) as Promise<Result>;
  }

  /** Returns the accessible elements with a role and a name now. */
  async allByRole(role: string, name?: string | RegExp): Promise<WebElement[]> {
    if (!(await this.run("return 'TestingLibraryDom' in window")))
      await this.run(`${FINDER}; window.TestingLibraryDom = TestingLibraryDom`);
    const pattern = name instanceof RegExp ? [name.source, name.flags] : name;
    return this.run(
      `const [role, name] = arguments;
       const options = name === null ? {} : { name: Array.isArray(name) ? new RegExp(...name) : name };
       return TestingLibraryDom.queryAllByRole(document.body, role, options);`,
      role,
      pattern ?? null,
    );
  }

  /** Waits for an element with a role and a name. */
  byRole(role: string, name?: string | RegExp): Promise<WebElement> {
    return this.#first(`${role} ${name ?? ""}`, () => this.allByRole(role, name));
  }

  /** Waits until no accessible element has a role and a name. */
  async hasNo(role: string, name?: string | RegExp): Promise<void> {
    await expect(async () => expect(await this.allByRole(role, name)).toHaveLength(0)).toPass({ timeout: WAIT_MS });
  }

  byPlaceholder(text: string): Promise<WebElement> {
    return this.#first(text, () => this.driver.findElements(By.css(`[placeholder="${text}"]`)));
  }

  /** Clicks an element. Tries again if the page moves or replaces it meanwhile. */
  async click(role: string, name?: string | RegExp): Promise<void> {
    const click = async () => (await this.byRole(role, name)).click();
    await expect(click).toPass({ timeout: WAIT_MS });
  }

  async type(placeholder: string, text: string): Promise<void> {
    await (await this.byPlaceholder(placeholder)).sendKeys(text);
  }

  /** Presses keys wherever the focus is. */
  press(...keys: string[]): Promise<void> {
    return this.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /** Waits until a text is visible. */
  async sees(text: string): Promise<void> {
    await expect.poll(() => this.#visibleText(), { timeout: WAIT_MS }).toContain(text);
  }

  /** Returns what is focused: its name, text or placeholder. */
  focused(): Promise<string> {
    return this.run(
      "const { ariaLabel, textContent, placeholder } = document.activeElement; return ariaLabel || textContent || placeholder",
    );
  }

  async openThread(friend: Named): Promise<void> {
    await this.click("link", new RegExp(friend.name));
    await this.byRole("heading", new RegExp(friend.name));
  }

  async send(text: string): Promise<void> {
    await this.type("Message...", text + Key.RETURN);
  }

  async #first(what: string, find: () => Promise<WebElement[]>): Promise<WebElement> {
    const found = await this.driver.wait(
      async () => (await find().catch(() => []))[0],
      WAIT_MS,
      `${what} is not there`,
    );
    if (!found) throw new Error(`${what} is not there`);
    return found;
  }

  #visibleText(): Promise<string> {
    // The page may be about to load; a test that fails shows the error in place of the text.
    return this.run<string>("return document.body.innerText").catch(String);
  }
}
