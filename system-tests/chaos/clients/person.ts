import type { Call } from "@messageoh/contracts/client";
import { pause } from "../../client/account.ts";
import type { Ledger, Session } from "../checker/ledger.ts";
import { logIn, newName, newPassword, register, type SignIn } from "./accounts.ts";
import { Browser } from "./browser.ts";
import { observedCall } from "./observedCall.ts";
import { ProductTab } from "./productTab.ts";
import { SpecClient } from "./specClient.ts";

const RETRY_MS = 500;
const TABS = 2;

let created = 0;

interface PersonOptions {
  url: string;
  ledger: Ledger;
  name: string;
  password: string;
  computer: Session;
  phone: Session;
}

/** A user with a computer, where two tabs of the product share a browser, and a phone with a client of the specification. */
export class Person {
  readonly id: string;
  readonly name: string;
  readonly browser: Browser;
  /** Makes HTTP calls with the session of the computer. */
  readonly call: Call;
  password: string;
  tabs: ProductTab[] = [];
  phone: SpecClient;
  /** Clients whose session was ended elsewhere. */
  readonly endedPhones: SpecClient[] = [];
  /** Passwords that were replaced. */
  readonly oldPasswords: string[] = [];
  /** Times of actions, during which the person is no witness of the product's speed. */
  readonly busy: { from: number; to: number }[] = [];
  /** Thread by friend. */
  readonly friends = new Map<string, string>();
  readonly #url: string;
  readonly #ledger: Ledger;

  private constructor({ url, ledger, name, password, computer, phone }: PersonOptions) {
    this.#url = url;
    this.#ledger = ledger;
    this.name = name;
    this.password = password;
    this.id = computer.userId;
    this.browser = new Browser(computer);
    this.call = observedCall(url, ledger, () => this.browser.session);
    // The gateway assigns instances in turns; otherwise the first tabs of all people would get the same one.
    created += 1;
    if (created % 2 === 0) this.openTabs();
    this.phone = this.#connectPhone(phone);
    this.openTabs();
  }

  /** Registers a user and opens their clients; retries while the server does not respond. */
  static async register(url: string, ledger: Ledger, label: string): Promise<Person> {
    const name = newName(label);
    const password = newPassword();
    // If the response was lost, the name is taken at the second attempt and the password is valid.
    const signUp = async () => {
      const registered = await register(url, name, password);
      return "status" in registered && registered.status === 409 ? logIn(url, name, password) : registered;
    };
    const computer = await signIn(ledger, name, signUp);
    const phone = await signIn(ledger, name, () => logIn(url, name, password));
    return new Person({ url, ledger, name, password, computer, phone });
  }

  get clients(): { cut: () => void }[] {
    return [...this.tabs, this.phone];
  }

  get isBusy(): boolean {
    return this.busy.at(-1)?.to === Number.POSITIVE_INFINITY;
  }

  get isReady(): boolean {
    return this.tabs.length === TABS && this.tabs.every((tab) => tab.isReady) && this.phone.socket.connected;
  }

  openTabs(): void {
    const user = { id: this.id, name: this.name, avatar_id: "snake-id" };
    while (this.tabs.length < TABS) {
      this.tabs.push(new ProductTab({ url: this.#url, ledger: this.#ledger, user, browser: this.browser }));
    }
  }

  closeTabs(): void {
    for (const tab of this.tabs) tab.close();
    this.tabs = [];
  }

  /** Starts a session with the current password. */
  logIn(): Promise<Session> {
    return signIn(this.#ledger, this.name, () => logIn(this.#url, this.name, this.password));
  }

  /** Replaces the phone, whose session was ended elsewhere, with one that is signed in again. */
  async replacePhone(): Promise<void> {
    this.endedPhones.push(this.phone);
    this.phone = this.#connectPhone(await this.logIn());
  }

  close(): void {
    this.closeTabs();
    for (const phone of [this.phone, ...this.endedPhones]) phone.close();
  }

  #connectPhone(session: Session): SpecClient {
    return new SpecClient(this.#url, this.#ledger, session, () => this.friends.keys());
  }
}

/** Repeats a sign-in until the server responds, checks that it is accepted, and records the session. */
async function signIn(ledger: Ledger, name: string, attempt: () => Promise<SignIn>): Promise<Session> {
  for (;;) {
    const result = await attempt().catch(() => ({ status: 0 }));
    const isRefused = "status" in result && result.status >= 400 && result.status < 500 && result.status !== 429;
    if (isRefused || "id" in result) {
      ledger.checks.verify("a valid sign-in is accepted", !isRefused, () => `${name}: ${JSON.stringify(result)}`);
    }
    if ("id" in result) return ledger.begin(result.id, result.cookie);
    await pause(RETRY_MS);
  }
}
