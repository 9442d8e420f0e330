import { addFriend } from "@messageoh/contracts/users";
import { until } from "@messageoh/stack/ports";
import { NOT_SENT_AFTER_MS } from "mfe-chat/client";
import pLimit from "p-limit";
import { withRetries } from "../../client/account.ts";
import type { Ledger, Sent } from "../checker/ledger.ts";
import type { Random } from "../random.ts";
import { Crowd } from "./crowd.ts";
import { Person } from "./person.ts";

const AT_ONCE = 4;
const READY_MAX_MS = 120_000;

/** Two people with a thread. */
export interface Pair {
  threadId: string;
  people: readonly [Person, Person];
  /** `closed` if one of the two has deleted the account. */
  state: "friends" | "ended" | "closed";
  /** The user who has blocked the other. */
  blockedBy?: Person;
}

/** All users of a run and their friendships. */
export class World {
  readonly url: string;
  readonly ledger: Ledger;
  readonly people: Person[] = [];
  readonly pairs: Pair[] = [];
  /** Users with light clients, who carry load. */
  readonly crowd: Crowd;
  /** People who have deleted their account. */
  readonly departed: Person[] = [];
  /** Pairs of ids of users who may be friends: one of them began to add the other. */
  readonly #begun = new Set<string>();

  constructor(url: string, ledger: Ledger) {
    this.url = url;
    this.ledger = ledger;
    this.crowd = new Crowd(url, ledger);
    ledger.isGivenUp = ({ text, from, sentAt }) =>
      Date.now() - sentAt >= NOT_SENT_AFTER_MS &&
      this.people.some(({ id, browser }) => id === from && browser.givenUp.includes(text));
  }

  /**
   * Registers people in a circle, each a friend of the `reach` next ones, and waits until their clients are connected.
   */
  async populate(count: number, reach: number): Promise<void> {
    await pLimit(AT_ONCE).map(Array(count), () => this.register("Ann"));
    await this.#waitForAll("clients connect", (person) => person.isReady);
    for (const [index, person] of this.people.entries()) {
      for (let step = 1; step <= reach && step < count; step += 1) {
        const friend = this.people[(index + step) % count] as Person;
        if (!this.mayBeFriends(person, friend)) await this.befriend(person, friend);
      }
    }
    await this.#waitForAll("tabs list all friends", (person) => person.isReady && this.listsFriends(person));
  }

  async #waitForAll(what: string, holdsFor: (person: Person) => boolean): Promise<void> {
    if (!(await until(() => this.people.every(holdsFor), READY_MAX_MS))) {
      throw new Error(`Before the first fault, not all ${what} within ${READY_MAX_MS / 1_000} s`);
    }
  }

  async register(label: string): Promise<Person> {
    const person = await Person.register(this.url, this.ledger, label);
    this.people.push(person);
    return person;
  }

  async befriend(person: Person, friend: Person): Promise<void> {
    this.begin(person, friend);
    const body = { user_id: person.id, friend_id: friend.id };
    const added = await withRetries(() => person.call(addFriend, { body }));
    this.confirm(person, friend, added.thread_id);
  }

  mayBeFriends(person: Person, friend: Person): boolean {
    return this.#begun.has(keyOf(person.id, friend.id));
  }

  /** Records that one person begins to add the other. */
  begin(person: Person, friend: Person): void {
    this.#begun.add(keyOf(person.id, friend.id));
  }

  /** Records a friendship that the server has confirmed. */
  confirm(person: Person, friend: Person, threadId: string): void {
    const known = this.pairs.find((pair) => pair.threadId === threadId);
    if (known) Object.assign(known, { state: "friends", blockedBy: undefined });
    else this.pairs.push({ threadId, people: [person, friend], state: "friends" });
    this.ledger.addThread(threadId, [person.id, friend.id]);
    this.ledger.renew(threadId);
    person.friends.set(friend.id, threadId);
    friend.friends.set(person.id, threadId);
  }

  /** Records that a friendship ended. */
  end(pair: Pair, blockedBy?: Person): void {
    const [one, other] = pair.people;
    Object.assign(pair, { state: "ended", blockedBy });
    one.friends.delete(other.id);
    other.friends.delete(one.id);
  }

  /** Records that a person begins to delete the account. */
  beginLeaving(person: Person): void {
    person.isGone = true;
    for (const { threadId } of this.pairsOf(person)) this.ledger.beginEnding(threadId);
  }

  /** Records that a person has deleted the account. Friends keep the thread. */
  leave(person: Person): void {
    this.people.splice(this.people.indexOf(person), 1);
    this.departed.push(person);
    for (const pair of this.pairsOf(person)) {
      const friend = pair.people.find((other) => other !== person) as Person;
      const wasFriend = friend.friends.delete(person.id);
      if (wasFriend) friend.gone.set(person.id, pair.threadId);
      // Nobody can read the thread of a friendship that had ended before.
      else if (pair.state === "ended") this.pairs.splice(this.pairs.indexOf(pair), 1);
      pair.state = "closed";
    }
    this.ledger.leave(person.id);
  }

  pairsOf = (person: Person): Pair[] => this.pairs.filter(({ people }) => people.includes(person));

  /** Pairs of friends. */
  get friendships(): Pair[] {
    return this.pairs.filter(({ state }) => state === "friends");
  }

  /** Each direction of each pair of friends, with a function that sends a message if the client can. */
  get directions(): { about: string; send: () => Sent | undefined }[] {
    const from = (sender: Person, friend: Person) => ({
      about: `${sender.id} to ${friend.id}`,
      send: () => sender.tabs[0]?.send(friend.id),
    });
    return [
      ...this.friendships.flatMap(({ people: [one, other] }) => [from(one, other), from(other, one)]),
      ...this.crowd.members.map(({ id, send }) => ({ about: id, send })),
    ];
  }

  /** All clients, as the faults see them. */
  get clients(): { cut: () => void }[] {
    const { people, crowd } = this;
    return [...people.flatMap(({ clients }) => clients), ...crowd.members.map(({ client }) => client)];
  }

  listsFriends(person: Person): boolean {
    return person.tabs.every((tab) => [...person.friends.keys()].every((id) => tab.threadWith(id)));
  }

  close(): void {
    for (const person of [...this.people, ...this.departed]) person.close();
    this.crowd.close();
  }

  /** Changes the open thread or the visibility of a random tab. */
  lookAround(random: Random): void {
    const person = random.pick(this.people);
    const tab = person.tabs.length > 0 ? random.pick(person.tabs) : undefined;
    const friends = [...person.friends.keys()];
    if (!tab?.isReady || friends.length === 0) return;
    const draw = random.next();
    if (draw < 0.7) tab.open(random.pick(friends));
    else if (draw < 0.8) tab.open(undefined);
    else tab.setVisible(draw < 0.9);
  }
}

const keyOf = (a: string, b: string): string => [a, b].sort().join(" ");
