import type { Browser } from "@playwright/test";
import type { Ledger, Session } from "../../checker/ledger.ts";
import { signUpFriends } from "../accounts.ts";
import { atRate, type SteadyRate } from "../steadyRate.ts";
import { PageUser } from "./pageUser.ts";

/** Messages per second of each page. */
const RATE = 0.5;
/** Reloads per message. */
const RELOADS = 0.05;

/** Pairs of users in real browsers. */
export class Pages {
  readonly pairs: { threadId: string; people: readonly [PageUser, PageUser] }[] = [];
  readonly #url: string;
  readonly #ledger: Ledger;

  constructor(url: string, ledger: Ledger) {
    this.#url = url;
    this.#ledger = ledger;
  }

  get users(): PageUser[] {
    return this.pairs.flatMap(({ people }) => people);
  }

  /** Registers pairs of friends and opens a page for each user. */
  async populate(browser: Browser, count: number): Promise<void> {
    const [url, ledger] = [this.#url, this.#ledger];
    while (this.users.length + 1 < count) {
      const { sessions, threadId } = await signUpFriends(url, ledger, "Page");
      const [one, other] = sessions;
      const open = async (session: Session, { userId: friendId }: Session) =>
        PageUser.open(await browser.newContext(), { url, ledger, session, friendId, threadId });
      this.pairs.push({ threadId, people: [await open(one, other), await open(other, one)] });
    }
  }

  /** Sends messages and reloads pages until `isOver`. */
  async chat({ random, isOver }: Pick<SteadyRate, "random" | "isOver">): Promise<void> {
    const { users } = this;
    if (users.length === 0) return;
    await atRate({ rate: RATE * users.length, random, isOver }, () => {
      const user = random.pick(users);
      if (random.next() < RELOADS) user.reload();
      else user.send();
    });
  }
}
