import { randomBytes } from "node:crypto";
import { BEAT_MS, BEATS_CHANNEL, type Beat, idAt } from "@messageoh/contracts/beat";
import type { Publish } from "./publish.ts";

/**
 * Longest time of a write, in milliseconds. Then it counts as failed. Also the time within which a failed write may
 * still take effect.
 */
const WRITE_MAX_MS = 30_000;

/**
 * Something that a process stores and then publishes. Its phases:
 *
 * storing -> (written) publishing -> (published) gone
 * storing -> (failed, or after {@link WRITE_MAX_MS}) unknown -> (its names written again, or after
 * {@link WRITE_MAX_MS}) gone
 */
export interface Work {
  /**
   * Returns a new id. The ids of a process are unique everywhere and ascending.
   * @param name names what gets the id, also when it is written again with another id
   * @throws Error if the write counts as failed
   */
  nextId: (name?: string) => string;
  /**
   * Records that the write has succeeded. An earlier write of the same names can no longer take effect.
   * @param unwritten the names that were left out
   */
  written: (unwritten?: readonly string[]) => void;
  /** Records that the write has failed. What has a name may still take effect, until it is written again. */
  failed: () => void;
  /** Records what {@link Publish} returned. Without events to publish, pass an empty set. */
  published: (unheard: ReadonlySet<string> | null) => void;
}

interface UnfinishedWork {
  /** The first and the last of its ids. */
  id: string;
  last: string;
  phase: "storing" | "publishing" | "unknown";
  /** The last id of each name. */
  ids: Map<string, string>;
  /** Time of the monotonic clock at which the phase `storing` or `unknown` ends. */
  until: number;
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
  const unfinished = new Set<UnfinishedWork>();
  /** Publications that failed, and how many of them a published beat has announced. */
  let lost = 0;
  let announced = 0;

  /** Returns the ranges of the writes whose outcome is unknown. */
  function unknownRanges(): [string, string][] {
    const ranges = [...unfinished]
      .filter(({ phase }) => phase === "unknown")
      .map(({ id, last }) => [id, last] as [string, string])
      // The first id of earlier work can be raised above that of later work.
      .sort(([one], [other]) => (one < other ? -1 : 1));
    if (ranges.length <= RANGES_MAX) return ranges;
    const lasts = ranges.map(([, last]) => last).sort();
    return [[ranges[0]?.[0] as string, lasts.at(-1) as string]];
  }

  /** Takes the names out of earlier writes, whose outcome for them is known now, also if they fail later. */
  function settle(names: readonly string[]): void {
    for (const work of unfinished) {
      if (work.phase === "publishing") continue;
      for (const name of names) work.ids.delete(name);
      if (work.phase === "unknown") narrow(work);
    }
  }

  function fail(work: UnfinishedWork): void {
    Object.assign(work, { phase: "unknown", until: monotonicNow() + WRITE_MAX_MS });
    narrow(work);
  }

  /** Reduces work of unknown outcome to the ids that are left. */
  function narrow(work: UnfinishedWork): void {
    const ids = [...work.ids.values()].sort();
    const [first, last = first] = [ids[0], ids.at(-1)];
    if (first === undefined) unfinished.delete(work);
    else Object.assign(work, { id: first, last });
  }

  const firstId = (...phases: UnfinishedWork["phase"][]) =>
    [...unfinished].find(({ phase }) => phases.includes(phase))?.id ?? nextId();

  return {
    name,

    /** Begins work that is stored and then published. All its ids come from the result. */
    begin(): Work {
      const id = nextId();
      const until = monotonicNow() + WRITE_MAX_MS;
      const work: UnfinishedWork = { id, last: id, phase: "storing", ids: new Map(), until };
      unfinished.add(work);
      return {
        nextId(name) {
          if (work.phase === "unknown") throw new Error("The write takes too long");
          work.last = nextId();
          if (name !== undefined) work.ids.set(name, work.last);
          return work.last;
        },
        written(unwritten = []) {
          for (const name of unwritten) work.ids.delete(name);
          // The position may be past work of unknown outcome.
          if (work.phase === "storing") work.phase = "publishing";
        },
        failed: () => fail(work),
        published(unheard) {
          if (!unheard) lost += 1;
          unfinished.delete(work);
          settle([...work.ids.keys()]);
        },
      };
    },

    /** Returns a beat that says what is stored, whether or not it is published. */
    beatOfStored(): Beat {
      const position = firstId("storing");
      return { service, name, from, position, unknown: unknownRanges(), has_lost: false, is_last: false };
    },

    /**
     * Publishes a beat now and every {@link BEAT_MS}. Returns a function that stops, publishes a last beat and resolves
     * when Redis has it.
     */
    startBeats(publish: Publish): () => Promise<void> {
      async function publishBeat(is_last = false): Promise<void> {
        for (const work of unfinished) {
          if (work.phase === "publishing" || work.until >= monotonicNow()) continue;
          if (work.phase === "storing") fail(work);
          else unfinished.delete(work);
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
    work.written();
    const unheard = await publish(events);
    work.published(unheard);
    return unheard;
  };
}
