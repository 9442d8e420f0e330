import { randomBytes } from "node:crypto";
import { BEAT_MS, BEATS_CHANNEL, type Beat, idAt } from "@messageoh/contracts/beat";
import type { Publish } from "./publish.ts";

/** Time within which a failed write may still take effect, in milliseconds. */
const UNKNOWN_MS = 30_000;

/** Something that a process stores and then publishes. */
export interface Work {
  /**
   * Returns a new id. The ids of a process are unique everywhere and ascending.
   * @param name names what gets the id, also when it is written again with another id
   */
  nextId: (name?: string) => string;
  /**
   * Records that the write has succeeded. An earlier write of the same names can no longer take effect.
   * @param unwritten the names that were left out
   */
  stored: (unwritten?: readonly string[]) => void;
  /** Records that the write has failed. What has a name may still take effect, until it is written again. */
  failed: () => void;
  /** Records what {@link Publish} returned. Without events to publish, pass an empty set. */
  published: (unheard: ReadonlySet<string> | null) => void;
}

interface State {
  /** The first and the last of its ids. */
  id: string;
  last: string;
  is: "storing" | "publishing" | "unknown";
  /** The last id of each name. */
  ids: Map<string, string>;
  /** Time of the monotonic clock at which an unknown outcome is forgotten. */
  until?: number;
}

/** Ranges in a beat. If there are more, one range covers all. */
const RANGES_MAX = 50;

export type Position = ReturnType<typeof createPosition>;

/**
 * Creates the position of this process among everything that it stores and publishes: the smallest id that is still
 * under way. The time in the ids never decreases, even if the clock is set back.
 * @param now returns the time in milliseconds since 1970
 * @param monotonicNow returns the time of a monotonic clock, in milliseconds
 */
export function createPosition(service: Beat["service"], now = Date.now, monotonicNow = () => performance.now()) {
  const name = randomBytes(3).toString("hex");
  let time = 0;
  let counter = 0;
  const nextId = () => {
    const current = now();
    counter = current > time ? 0 : counter + 1;
    time = Math.max(time, current);
    return idAt(time, name, counter);
  };
  const from = nextId();
  /** Unfinished work, ascending by id. */
  const unfinished = new Set<State>();
  /** Publications that failed, and how many of them a published beat has announced. */
  let lost = 0;
  let announced = 0;

  /** Returns the ranges of the writes whose outcome is unknown. */
  function unknownRanges(): [string, string][] {
    const ranges = [...unfinished]
      .filter(({ is }) => is === "unknown")
      .map(({ id, last }) => [id, last] as [string, string])
      // The first id of earlier work can be raised above that of later work.
      .sort(([one], [other]) => (one < other ? -1 : 1));
    if (ranges.length <= RANGES_MAX) return ranges;
    const lasts = ranges.map(([, last]) => last).sort();
    return [[ranges[0]?.[0] as string, lasts.at(-1) as string]];
  }

  /** Takes the names out of earlier writes, whose outcome for them is known now, also if they fail later. */
  function settle(names: readonly string[]): void {
    for (const state of unfinished) {
      if (state.is === "publishing") continue;
      for (const name of names) state.ids.delete(name);
      if (state.is === "unknown") narrow(state);
    }
  }

  /** Reduces work of unknown outcome to the ids that are left. */
  function narrow(state: State): void {
    const ids = [...state.ids.values()].sort();
    const [first, last = first] = [ids[0], ids.at(-1)];
    if (first === undefined) unfinished.delete(state);
    else Object.assign(state, { id: first, last });
  }

  const firstId = (...states: State["is"][]) => [...unfinished].find(({ is }) => states.includes(is))?.id ?? nextId();

  return {
    name,

    /** Begins work that is stored and then published. All its ids come from the result. */
    begin(): Work {
      const id = nextId();
      const state: State = { id, last: id, is: "storing", ids: new Map() };
      unfinished.add(state);
      return {
        nextId(name) {
          state.last = nextId();
          if (name !== undefined) state.ids.set(name, state.last);
          return state.last;
        },
        stored(unwritten = []) {
          for (const name of unwritten) state.ids.delete(name);
          state.is = "publishing";
        },
        failed() {
          Object.assign(state, { is: "unknown", until: monotonicNow() + UNKNOWN_MS });
          narrow(state);
        },
        published(unheard) {
          if (!unheard) lost += 1;
          unfinished.delete(state);
          settle([...state.ids.keys()]);
        },
      };
    },

    /** Returns a beat that says what is stored, whether or not it is published. */
    stored: (): Beat => ({
      ...{ service, name, from, position: firstId("storing"), unknown: unknownRanges() },
      ...{ has_lost: false, is_last: false },
    }),

    /**
     * Publishes a beat now and every {@link BEAT_MS}. Returns a function that stops, publishes a last beat and resolves
     * when Redis has it.
     */
    startBeats(publish: Publish): () => Promise<void> {
      async function publishBeat(is_last = false): Promise<void> {
        for (const state of unfinished) {
          if (state.until !== undefined && state.until < monotonicNow()) unfinished.delete(state);
        }
        const lostBefore = lost;
        const unknown = unknownRanges();
        const has_lost = lostBefore > announced || unknown.length > 0;
        const position = has_lost ? firstId("storing") : firstId("storing", "publishing");
        const beat: Beat = { service, name, from, position, unknown, has_lost, is_last };
        // Beats can overlap while Redis is slow.
        if (await publish([[BEATS_CHANNEL, beat]])) announced = Math.max(announced, lostBefore);
      }
      void publishBeat();
      const timer = setInterval(publishBeat, BEAT_MS).unref();
      return async () => {
        clearInterval(timer);
        await publishBeat(true);
      };
    },
  };
}

/**
 * Returns a function that publishes like `publish`. The position stays below an event until its publication has ended.
 */
export function publishAt(position: Position, publish: Publish): Publish {
  return async (events) => {
    const work = position.begin();
    work.stored();
    const unheard = await publish(events);
    work.published(unheard);
    return unheard;
  };
}
