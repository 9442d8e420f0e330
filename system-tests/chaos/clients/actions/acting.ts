import { pause } from "../../../client/account.ts";
import type { Random } from "../../random.ts";
import type { Person } from "../person.ts";
import type { ProductTab } from "../productTab.ts";
import type { World } from "../world.ts";

/** Time between two attempts in milliseconds. */
export const RETRY_MS = 500;

/** Action of a user besides chatting. Resolves with `false` if the person cannot do it now. */
export type Action = (world: World, person: Person, random: Random) => Promise<unknown>;

/** Records the time of an action, in which the person begins no other one. */
export async function act<T>(person: Person, work: () => Promise<T>): Promise<T> {
  const time = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  person.busy.push(time);
  const result = await work();
  time.to = Date.now();
  return result;
}

/** Keeps somebody from leaving while an action of another person concerns them. */
export async function involving<T>(other: Person, work: () => Promise<T>): Promise<T> {
  other.involvedIn += 1;
  try {
    return await work();
  } finally {
    other.involvedIn -= 1;
  }
}

/** Does something in a tab, again until it succeeds. */
export async function untilAccepted(person: Person, work: (tab: ProductTab) => Promise<unknown>): Promise<void> {
  for (;;) {
    const tab = await readyTab(person);
    const isAccepted = await work(tab).then(
      (result) => result !== false,
      () => false,
    );
    if (isAccepted) return;
    await pause(RETRY_MS);
  }
}

export const readyOf = ({ tabs }: Person): ProductTab => tabs.find((tab) => tab.isReady) as ProductTab;

export async function readyTab(person: Person): Promise<ProductTab> {
  await until(() => person.tabs.some((tab) => tab.isReady));
  return readyOf(person);
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(100);
}
