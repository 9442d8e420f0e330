import { addFriend } from "@messageoh/contracts/users";
import { pause, withRetries } from "../../client/account.ts";
import type { Ledger } from "../checker/ledger.ts";
import type { Random } from "../random.ts";
import { Person } from "./person.ts";

const AT_ONCE = 4;

/** Two friends. */
export interface Pair {
  threadId: string;
  people: readonly [Person, Person];
}

/** All users of a run and their friendships. */
export class World {
  readonly url: string;
  readonly ledger: Ledger;
  readonly people: Person[] = [];
  readonly pairs: Pair[] = [];
  /** Pairs of ids of users who may be friends: one of them began to add the other. */
  readonly #begun = new Set<string>();

  constructor(url: string, ledger: Ledger) {
    this.url = url;
    this.ledger = ledger;
  }

  /** Registers people in a circle, each a friend of the `reach` next ones, and waits until their clients are connected. */
  async populate(count: number, reach: number): Promise<void> {
    for (let at = 0; at < count; at += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, () => this.register("Ann")));
    }
    for (const [index, person] of this.people.entries()) {
      for (let step = 1; step <= reach && step < count; step += 1) {
        const friend = this.people[(index + step) % count] as Person;
        if (!this.mayBeFriends(person, friend)) await this.befriend(person, friend);
      }
    }
    while (!this.people.every((person) => person.isReady && this.listsFriends(person))) await pause(100);
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
    this.ledger.members.set(threadId, [person.id, friend.id]);
    person.friends.set(friend.id, threadId);
    friend.friends.set(person.id, threadId);
    this.pairs.push({ threadId, people: [person, friend] });
  }

  /** All clients, as the faults see them. */
  get clients(): { cut: () => void }[] {
    return this.people.flatMap(({ clients }) => clients);
  }

  listsFriends(person: Person): boolean {
    return person.tabs.every((tab) => [...person.friends.keys()].every((id) => tab.threadWith(id)));
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
