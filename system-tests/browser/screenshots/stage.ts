import type { BrowserContext, Page, Route } from "@playwright/test";
import { Person } from "../support/person.ts";
import type { ProtocolClient } from "../support/protocolClient.ts";
import type { World } from "./world.ts";

/** A page with helpers for scenes. */
export class Stage {
  readonly page: Page;
  readonly world: World;
  readonly person: Person;
  readonly #appearance: Record<string, string>;

  /** @param appearance what the user has chosen, by key of `localStorage` */
  constructor(page: Page, world: World, appearance: Record<string, string>) {
    this.page = page;
    this.world = world;
    this.#appearance = appearance;
    this.person = new Person(page, world.me.name);
  }

  /** Opens a path as a visitor. */
  async visit(path: string): Promise<void> {
    await this.page.context().clearCookies();
    await this.#openWith(path, {});
  }

  /** Opens a path as a user, with additional entries in `localStorage`. */
  async enter(user: ProtocolClient, path = "/home", stored: Record<string, string> = {}): Promise<void> {
    const [name = "", value = ""] = user.cookie.split("=");
    const context = this.page.context();
    await context.clearCookies();
    await context.addCookies([{ name, value, url: user.baseUrl, httpOnly: true, sameSite: "Strict" }]);
    await this.#openWith(path, { "current-user-id": user.id, ...stored });
  }

  /** Opens the thread with a friend. */
  async enterThread(name: string, stored: Record<string, string> = {}): Promise<void> {
    await this.enter(this.world.me, `/home/${this.friend(name).id}`, stored);
    await this.person.composer.waitFor();
  }

  friend(name: string): ProtocolClient {
    const friend = this.world.friends.get(name);
    if (!friend) throw new Error(`There is no user ${name}`);
    return friend;
  }

  threadId(name: string): string {
    return this.world.threadIds.get(name) ?? "";
  }

  async #openWith(path: string, stored: Record<string, string>): Promise<void> {
    await this.page.addInitScript(
      (entries) => {
        localStorage.clear();
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
      },
      { ...this.#appearance, ...stored },
    );
    await this.page.goto(path, { waitUntil: "load" });
  }
}

/** Gives messages the times of their conversation and keeps them unread when they are shown. */
export async function prepareContext(context: BrowserContext, world: World): Promise<void> {
  await context.route(/\/messageoh\/(messages|threads)\//, async (route) =>
    route.fulfill(await fetchTimed(route, world)),
  );
  await context.route("**/messageoh/update_message_read", (route) => {
    // Firefox does not show it.
    const { thread_id, seq } = route.request().postDataJSON() ?? {};
    return route.fulfill({ json: { thread_id, user_id: "me", seq } });
  });
}

/** Makes a call, or that of another URL. Returns the response, and its JSON with the times of the conversation. */
export async function fetchTimed<Json>(route: Route, { times }: World, url?: string) {
  const response = await route.fetch({ url });
  const json: Json = JSON.parse(await response.text(), (_, value: { text?: string } | null) => {
    const timestamp = times.get(value?.text ?? "");
    return timestamp ? { ...value, timestamp } : value;
  });
  return { response, json };
}
