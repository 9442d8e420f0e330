import { type Browser, expect, type Page } from "@playwright/test";
import { uniqueName } from "./names.ts";

/** Somebody at a browser of their own. */
export class Person {
  readonly page: Page;
  readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  /** Opens a browser with nothing in it and registers. */
  static async register(
    browser: Browser,
    name: string,
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<Person> {
    const context = await browser.newContext(options);
    const person = new Person(await context.newPage(), uniqueName(name));
    const { page } = person;
    await page.goto("/register");
    await page.getByPlaceholder("Username e.g. Albus212").fill(person.name);
    await page.getByPlaceholder("Password").fill("a long password");
    await page.getByRole("radio", { name: "Koala" }).click();
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText(`Hi ${person.name}!`)).toBeVisible();
    return person;
  }

  async addFriend(friend: Person): Promise<void> {
    const { page } = this;
    await page.getByRole("button", { name: "Add friend" }).click();
    await page.getByPlaceholder("Search by username").fill(friend.name);
    await page.getByRole("button", { name: friend.name }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { name: friend.name })).toBeVisible();
  }

  async openThread(friend: Person): Promise<void> {
    await this.page.getByRole("link", { name: friend.name }).click();
    await expect(this.page.getByRole("heading", { name: friend.name })).toBeVisible();
  }

  async send(text: string): Promise<void> {
    await this.page.getByPlaceholder("Message...").fill(text);
    await this.page.getByPlaceholder("Message...").press("Enter");
  }

  async sees(text: string): Promise<void> {
    await expect(this.page.getByRole("log").getByText(text, { exact: true })).toBeVisible();
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
