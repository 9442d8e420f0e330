import { Counts } from "@messageoh/service-kit/counts";

const RUNNING_MAX = 64;
const RUNNING_PER_HOST_MAX = 32;
const RUNNING_PER_USER_MAX = 4;
/** Notifications of at most 3 kB, also those that wait for a retry: 15 MB. */
const HELD_MAX = 5_000;
const HELD_PER_USER_MAX = 60;

/** Recipient and push service of a notification; others may have the same. */
export interface Place {
  user: string;
  host: string;
}
interface Turn {
  place: Place;
  start: () => void;
}
/** Runs an attempt when it is its turn. */
export type Enter = <Result>(attempt: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue that limits how many attempts run at the same time: in all, per push service and per user. A slow
 * push service, or a user with slow endpoints, leaves room for the others. A retry gives its turn up while it waits.
 */
export function createSendQueue() {
  const turns: Turn[] = [];
  const running = { all: 0, host: new Counts(), user: new Counts() };
  const held = new Counts();
  let heldCount = 0;
  let onIdle: (() => void)[] = [];

  const isFree = ({ user, host }: Place): boolean =>
    running.all < RUNNING_MAX &&
    running.host.of(host) < RUNNING_PER_HOST_MAX &&
    running.user.of(user) < RUNNING_PER_USER_MAX;

  function count({ user, host }: Place, by: 1 | -1): void {
    running.all += by;
    running.host.add(host, by);
    running.user.add(user, by);
  }

  function startNext(): void {
    for (let index = 0; index < turns.length && running.all < RUNNING_MAX; ) {
      const turn = turns[index] as Turn;
      if (!isFree(turn.place)) {
        index += 1;
        continue;
      }
      turns.splice(index, 1);
      count(turn.place, 1);
      turn.start();
    }
  }

  const enterAt =
    (place: Place): Enter =>
    async (attempt) => {
      await new Promise<void>((start) => {
        turns.push({ place, start });
        startNext();
      });
      try {
        return await attempt();
      } finally {
        count(place, -1);
        startNext();
      }
    };

  function hold(user: string, by: 1 | -1): void {
    heldCount += by;
    held.add(user, by);
    if (heldCount > 0) return;
    for (const resolve of onIdle) resolve();
    onIdle = [];
  }

  return {
    /** Returns how many notifications are held. */
    size: (): number => heldCount,

    /** Runs work, which enters the queue for each attempt. Returns `undefined` if too many notifications are held. */
    add<Result>(place: Place, work: (enter: Enter) => Promise<Result>): Promise<Result> | undefined {
      if (heldCount >= HELD_MAX || held.of(place.user) >= HELD_PER_USER_MAX) return undefined;
      hold(place.user, 1);
      return work(enterAt(place)).finally(() => hold(place.user, -1));
    },

    /** Resolves when no notification is held. */
    idle: (): Promise<void> =>
      heldCount === 0 ? Promise.resolve() : new Promise((resolve) => void onIdle.push(resolve)),
  };
}
