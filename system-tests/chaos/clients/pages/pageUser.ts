import type { Call } from "@messageoh/contracts/client";
import type { BrowserContext, Page } from "@playwright/test";
import { pause } from "../../../client/account.ts";
import type { Ledger, Sent, Session } from "../../checker/ledger.ts";
import { observedCall } from "../observedCall.ts";
import { reportRows, type ShownRow } from "./reportRows.ts";

const STEP_MS = 10_000;
const AGAIN_MS = 1_000;
/** How long the network of a page is off when it is cut off. */
const CUT_MS = 2_000;
/** Send states of messages that the server has stored. */
const STORED = ["Sent", "Delivered", "Read"];

export interface PageUserOptions {
  url: string;
  ledger: Ledger;
  session: Session;
  friendId: string;
  threadId: string;
}

let opened = 0;

/** A user in a real browser: one page of the built front ends with an open thread, and what it shows. */
export class PageUser {
  readonly name = `page${++opened}`;
  readonly id: string;
  readonly friendId: string;
  readonly threadId: string;
  /** Makes HTTP calls with the session of the page. */
  readonly call: Call;
  readonly isGone = false;
  readonly #url: string;
  readonly #ledger: Ledger;
  readonly #context: BrowserContext;
  readonly #page: Page;
  /** The rows of the thread that are on the screen. */
  #rows: readonly ShownRow[] = [];
  #isAtWork = false;

  private constructor({ url, ledger, session, friendId, threadId }: PageUserOptions, page: Page) {
    this.id = session.userId;
    this.friendId = friendId;
    this.threadId = threadId;
    this.call = observedCall(url, ledger, () => session);
    this.#url = url;
    this.#ledger = ledger;
    this.#context = page.context();
    this.#page = page;
  }

  /** Opens the thread with the friend, with the session as a log-in leaves it. */
  static async open(context: BrowserContext, options: PageUserOptions): Promise<PageUser> {
    const { url, session } = options;
    const [name = "", value = ""] = session.cookie.split("=");
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Strict" }]);
    await context.setExtraHTTPHeaders({ "x-forwarded-for": session.address });
    await context.addInitScript((userId) => localStorage.setItem("current-user-id", userId), session.userId);
    const user = new PageUser(options, await context.newPage());
    await context.exposeBinding("showRows", (_, rows: ShownRow[]) => user.#observe(rows));
    await context.addInitScript(reportRows);
    await user.#load();
    return user;
  }

  /** Number of messages on the screen that wait in the outbox. */
  get unsent(): number {
    return this.#rows.filter(({ isMine, state }) => isMine && !STORED.includes(state)).length;
  }

  get isSignedIn(): boolean {
    return this.#page.url().startsWith(`${this.#url}/home`);
  }

  /** Send state of the newest own message on the screen. */
  get newestState(): string | undefined {
    return this.#rows.findLast(({ isMine }) => isMine)?.state;
  }

  /** Writes a message into the composer and presses Enter. Returns `undefined` while the page is at work. */
  send = (): Sent | undefined => {
    if (this.#isAtWork) return undefined;
    const route = { from: this.id, to: this.friendId, threadId: this.threadId };
    const sent = this.#ledger.compose({ ...route, client: this.name, isGuaranteed: true });
    void this.#work(() => this.#write(sent.text));
    return sent;
  };

  /** Reloads the page, also if the network fails meanwhile. */
  reload(): void {
    if (!this.#isAtWork) void this.#work(() => this.#load());
  }

  /** Turns the network of the page off and on again. */
  cut(): void {
    const set = (isOffline: boolean) => this.#context.setOffline(isOffline).catch(() => undefined);
    void set(true)
      .then(() => pause(CUT_MS))
      .then(() => set(false));
  }

  /** Scrolls to the newest or towards the oldest message by part of a screen. */
  async scroll(to: "newest" | "older"): Promise<void> {
    await this.#page
      .getByRole("log")
      .evaluate(
        (log, isNewest) => log.scrollBy(0, isNewest ? log.scrollHeight : -log.clientHeight / 2),
        to === "newest",
      )
      .catch(() => undefined);
  }

  /** Returns the texts on the screen. */
  get texts(): string[] {
    return this.#rows.map(({ text }) => text);
  }

  async #work(work: () => Promise<void>): Promise<void> {
    this.#isAtWork = true;
    await work();
    this.#isAtWork = false;
  }

  async #load(): Promise<void> {
    while (!this.#page.isClosed()) {
      try {
        await this.#page.goto(`${this.#url}/home/${this.friendId}`);
        return await this.#composer.waitFor({ timeout: STEP_MS });
      } catch {
        await pause(AGAIN_MS);
      }
    }
  }

  async #write(text: string): Promise<void> {
    while (!this.#page.isClosed()) {
      try {
        if (this.texts.includes(text)) return;
        await this.#composer.fill(text, { timeout: STEP_MS });
        // Nobody can write while an error covers the page.
        if ((await this.#written()) === text) {
          await this.#composer.press("Enter", { timeout: STEP_MS });
          if ((await this.#written()) === "") return;
        }
      } catch {
        // The page is not ready yet, or too slow: then the step has its effect before the page responds.
        await this.#page.evaluate(() => undefined).catch(() => undefined);
      }
      await pause(AGAIN_MS);
    }
  }

  #written(): Promise<string> {
    return this.#composer.inputValue({ timeout: STEP_MS });
  }

  get #composer() {
    return this.#page.getByPlaceholder("Message...");
  }

  /** Checks the rows on the screen and records what they reveal. */
  #observe(rows: readonly ShownRow[]): void {
    const { checks, sent: all } = this.#ledger;
    this.#rows = rows;
    const shown = new Set<string>();
    const lastOf = new Map<string, number>();
    for (const { text, isMine, state } of rows) {
      const about = () => `${this.name} of ${this.id} shows "${text.slice(0, 60)}"`;
      const sent = all.get(text);
      const isRight = sent?.threadId === this.threadId && (isMine ? sent.from : sent.to) === this.id;
      checks.verify("sender, thread and text are unchanged", isRight, about);
      if (!sent) continue;
      const isNext = sent.n > (lastOf.get(sent.stream) ?? 0) && !shown.has(text);
      checks.verify("a page shows messages once, in order", isNext, about);
      shown.add(text);
      lastOf.set(sent.stream, sent.n);
      if (!isMine) this.#ledger.arriveWithEarlier(sent);
      else if (STORED.includes(state)) sent.ackedAt ??= Date.now();
    }
  }
}
