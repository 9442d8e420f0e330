import * as v from "valibot";

/** Redis pub/sub channel of {@link Beat}s. Every instance of svc-realtime subscribes to it. */
export const BEATS_CHANNEL = "beats";
/** Time between two beats of a process, in milliseconds. */
export const BEAT_MS = 1_000;

/**
 * Schema of a beat: the position that a process publishes once per second, behind its events and on the same
 * connection. Everything with a smaller id of this process is stored, except what is `unknown`. Unless `has_lost`, it
 * is published as well, so a subscriber that has heard this beat has heard all of it. See docs/delivery.md.
 */
export const beat = v.object({
  service: v.picklist(["users", "messages"]),
  /** Name of the process, as in its ids. A process that starts again has another one. */
  name: v.string(),
  /** Position at the start of the process. */
  from: v.string(),
  position: v.string(),
  /**
   * Ranges of ids, first and last, of writes that failed and may still take effect, ascending. A published beat with
   * any has `has_lost`.
   */
  unknown: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  /** Events may be lost since the beats before: read what is stored. */
  has_lost: v.optional(v.boolean(), false),
  /** The process ends, and everything is published. */
  is_last: v.optional(v.boolean(), false),
});
export type Beat = v.InferOutput<typeof beat>;

/** Returns the name of the process that made an id. */
export const processOf = (id: string): string => id.slice(12, 18);

/** Returns the time in milliseconds since 1970, by the clock of its process, at which an id was made. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 12), 16);

/** Returns the id of a process at a time in milliseconds since 1970. Ids of one process sort by time, then counter. */
export const idAt = (time: number, process: string, counter = 0): string =>
  Math.max(0, Math.floor(time)).toString(16).padStart(12, "0") + process + counter.toString(16).padStart(6, "0");

/**
 * Returns an id of the same process that is later by `ms` milliseconds of its clock, or earlier if `ms` is negative.
 */
export const shiftId = (id: string, ms: number): string => idAt(timeOf(id) + ms, processOf(id));
