import { type Browser, type BrowserContextOptions, expect, type Locator, type Page } from "@playwright/test";
import type { ProtocolClient } from "./protocolClient.ts";

/** A person or a user without a browser. */
export interface Named {
  readonly name: string;
}

/** A user with a browser. */
export class Person implements Named {
  readonly page: Page;
  readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  /** Opens a browser with the session of a protocol client, on an empty page. */
  static async loggedIn(browser: Browser, user: ProtocolClient, options: BrowserContextOptions = {}): Promise<Person> {
    const [name = "", value = ""] = user.cookie.split("=");
    const context = await browser.newContext(options);
    await context.addCookies([{ name, value, url: user.baseUrl, httpOnly: true, sameSite: "Strict" }]);
    const page = await context.newPage();
    // As a part of the storage state of the context, it would take one more page and navigation.
    await page.addInitScript(
      ({ origin, id }) => {
        if (location.origin !== origin || sessionStorage.getItem("test:logged-in")) return;
        sessionStorage.setItem("test:logged-in", "once");
        localStorage.setItem("current-user-id", id);
      },
      { origin: user.baseUrl, id: user.id },
    );
    return new Person(page, user.name);
  }

  get composer(): Locator {
    return this.page.getByPlaceholder("Message...");
  }

  get log(): Locator {
    return this.page.getByRole("log");
  }

  /** Returns the entry of a friend in the list. */
  entry(friend: Named): Locator {
    return this.page.getByRole("navigation", { name: "Friends" }).getByRole("link", { name: friend.name });
  }

  /** Returns the names in the list from the top. */
  async order(friends: readonly Named[]): Promise<string[]> {
    const texts = await this.page.getByRole("navigation", { name: "Friends" }).getByRole("link").allInnerTexts();
    return texts.map((text) => friends.find(({ name }) => text.includes(name))?.name ?? text);
  }

  /** Returns the bubble of a message in the open thread. */
  message(text: string): Locator {
    return this.log.getByRole("article").filter({ has: this.page.getByText(text, { exact: true }) });
  }

  async startAddingFriend(name: string): Promise<void> {
    await this.page.getByRole("button", { name: "Add friend" }).click();
    await this.page.getByPlaceholder("Search by username").fill(name);
  }

  async addFriend(friend: Named): Promise<void> {
    await this.startAddingFriend(friend.name);
    // Rows move when the response to the search arrives; a click that is under way then misses.
    await expect(this.page.getByRole("region", { name: "Add Friend" }).getByRole("listitem")).toHaveCount(1);
    await this.page.getByRole("button", { name: friend.name }).click();
    await this.page.getByRole("button", { name: "Confirm" }).click();
    await this.sitsInThreadWith(friend);
  }

  async openThread(friend: Named): Promise<void> {
    await this.entry(friend).click();
    await this.sitsInThreadWith(friend);
  }

  async openAccountMenu(): Promise<void> {
    await this.page.getByRole("button", { name: /account|avatar/i }).click();
  }

  /** Opens the settings and then one of their parts. Returns the dialog of that part. */
  async openSettings(part: string): Promise<Locator> {
    await this.openAccountMenu();
    await this.page.getByRole("menuitem", { name: "Settings" }).click();
    await this.page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name: part }).click();
    return this.page.getByRole("dialog", { name: part });
  }

  /** Waits in a thread without messages until the code of what also works without a network is loaded. */
  async hasOfflineCode(): Promise<void> {
    await expect(this.page.getByText("No messages here yet...")).toBeVisible();
    await this.page.waitForLoadState("networkidle");
  }

  async search(text: string): Promise<void> {
    await this.page.getByPlaceholder("Search").fill(text);
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  async sees(text: string): Promise<void> {
    await expect(this.log.getByText(text, { exact: true })).toBeVisible();
  }

  async sitsInThreadWith(friend: Named): Promise<void> {
    await expect(this.page.getByRole("heading", { name: friend.name })).toBeVisible();
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
