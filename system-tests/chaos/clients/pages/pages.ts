import { addFriend } from "@messageoh/contracts/users";
import type { Browser } from "@playwright/test";
import { withRetries } from "../../../client/account.ts";
import type { Ledger } from "../../checker/ledger.ts";
import { newAddress, newName, newPassword, signUp } from "../accounts.ts";
import { observedCall } from "../observedCall.ts";
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
    const register = () => signUp(ledger, { url, address: newAddress() }, newName("Page"), newPassword());
    while (this.users.length + 1 < count) {
      const [one, other] = [await register(), await register()];
      const call = observedCall(url, ledger, () => one);
      const body = { user_id: one.userId, friend_id: other.userId };
      const { thread_id: threadId } = await withRetries(() => call(addFriend, { body }));
      ledger.addThread(threadId, [one.userId, other.userId]);
      const open = async (session: typeof one, { userId: friendId }: typeof one) =>
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
