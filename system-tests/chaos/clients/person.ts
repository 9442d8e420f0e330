import type { Call } from "@messageoh/contracts/client";
import { logIn, newName, type Origin } from "../../client/account.ts";
import type { Ledger, Session } from "../checker/ledger.ts";
import { newAddress, newPassword, signIn, signUp } from "./accounts.ts";
import { Browser } from "./browser.ts";
import { observedCall } from "./observedCall.ts";
import { ProductTab } from "./productTab.ts";
import { SpecClient } from "./specClient.ts";

const TABS = 2;

let created = 0;

interface PersonOptions {
  origin: Required<Origin>;
  ledger: Ledger;
  name: string;
  password: string;
  computer: Session;
  phone: Session;
}

/**
 * A user with a computer, where two tabs of the product share a browser, and a phone with a client of the
 * specification.
 */
export class Person {
  readonly id: string;
  name: string;
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
  /** Thread by friend who has deleted the account. */
  readonly gone = new Map<string, string>();
  /** The account is deleted, or will be. */
  isGone = false;
  /** Actions of others that concern this person, who stays until they have completed. */
  involvedIn = 0;
  renames = 0;
  isChangingName = false;
  readonly #origin: Required<Origin>;
  readonly #ledger: Ledger;

  private constructor({ origin, ledger, name, password, computer, phone }: PersonOptions) {
    this.#origin = origin;
    this.#ledger = ledger;
    this.name = name;
    this.password = password;
    this.id = computer.userId;
    this.browser = new Browser(computer);
    this.call = observedCall(origin.url, ledger, () => this.browser.session);
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
    const origin = { url, address: newAddress() };
    const computer = await signUp(ledger, origin, name, password);
    const phone = await signIn(ledger, { name, ...origin }, () => logIn(origin, name, password));
    return new Person({ origin, ledger, name, password, computer, phone });
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
      this.tabs.push(new ProductTab({ url: this.#origin.url, ledger: this.#ledger, user, browser: this.browser }));
    }
  }

  closeTabs(): void {
    for (const tab of this.tabs) tab.close();
    this.tabs = [];
  }

  /** Returns the response to a sign-in with this password. */
  tryLogIn = (password: string) => logIn(this.#origin, this.name, password);

  /** Starts a session with the current password. */
  logIn(): Promise<Session> {
    const { name, password } = this;
    return signIn(this.#ledger, { name, ...this.#origin }, () => logIn(this.#origin, name, password));
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
    return new SpecClient(this.#origin.url, this.#ledger, session, () => this.friends.keys());
  }
}
