import { type Beat, processOf, shiftId } from "@messageoh/contracts/beat";
import { atMost } from "@messageoh/service-kit/atMost";
import { LRUCache } from "lru-cache";
import type { Seen } from "../types.ts";

/** Time without a beat after which a process is silent, in milliseconds. */
const SILENT_AFTER_MS = 3_000;
/** Time without any sign of a process after which it is forgotten, in milliseconds. */
const FORGET_AFTER_MS = 30_000;
/**
 * How much earlier or later than its known positions a process may have stored something, by its own clock, in
 * milliseconds.
 */
const REACH_MS = 60_000;

/** Time after which a position that does not rise tells too little of what is stored, in milliseconds. */
const KNOWN_MAX_MS = 1_500;

/** Messages that reads have found, at most about 150 bytes each. Above it, the oldest may be repeated. */
const FOUND_MAX = 20_000;

interface Process {
  service: Beat["service"];
  /** Everything before was stored before this instance first heard of the process. */
  start: string;
  /** Everything before has reached this instance. */
  heard: string;
  /** Everything before is stored, except what is unknown. */
  known: string;
  /** Ranges of ids of writes that may still take effect. */
  unknown: Beat["unknown"];
  /** First id whose outcome was unknown at the last read. It is read once more from there. */
  readAgainFrom: string | undefined;
  /** Whether something after `heard` may never arrive as an event. */
  isMissing: boolean;
  /** Whether a beat arrived since the last interruption, so that later events arrive as well. */
  isLive: boolean;
  /** How often `isLive` ended or could not begin. */
  losses: number;
  isLast: boolean;
  /** The last beat of each shard of Redis since the last interruption, with its time. */
  beats: Map<string, Beat & { at: number }>;
  /**
   * Times of the monotonic clock: when `known` rose, of the oldest of the last beats, and of the last beat or frame.
   */
  knownAt: number;
  beatAt: number;
  aliveAt: number;
}

/** A process with missing events, and the range of ids that covers them. */
export interface Missing {
  range: [from: string, until: string];
  /** The first id whose outcome was unknown. */
  unknownFrom: string | undefined;
  process: Process;
  /** The state when the range was read. */
  known: string;
  wasLive: boolean;
  losses: number;
}

export type Positions = ReturnType<typeof createPositions>;

/**
 * Tracks up to which position this instance has everything of each process that publishes events. It never compares
 * times of two hosts.
 * @param now returns the time of a monotonic clock, in milliseconds
 * @param shards number of shards of Redis on which beats arrive
 */
export function createPositions(now = () => performance.now(), shards = 1) {
  const processes = new Map<string, Process>();
  /** When a read first found a message, by id. */
  const foundAt = new LRUCache<string, number>(atMost(FOUND_MAX));
  /** What {@link Positions.seen} returns until a position changes. */
  let current: Seen["positions"] | undefined;

  function find({ service, name, from, position }: Beat): Process {
    const known = processes.get(name);
    if (known) return known;
    const start = later(from, shiftId(position, -REACH_MS));
    // The process may have been at its first position for long.
    const beats = { beats: new Map(), knownAt: Number.NEGATIVE_INFINITY, beatAt: now(), aliveAt: now() };
    const isMissing = service === "messages" && start < position;
    const ids = { start, heard: start, known: position, unknown: [], readAgainFrom: undefined };
    const state: Process = { service, ...ids, isMissing, isLive: false, losses: 0, isLast: false, ...beats };
    processes.set(name, state);
    return state;
  }

  // Frames of a stream are not validated, and those of an earlier release have no `unknown`.
  function learn(process: Process, { position, unknown = [] }: Beat): void {
    if (position > process.known) Object.assign(process, { known: position, knownAt: now() });
    process.unknown = unknown;
    process.aliveAt = now();
    current = undefined;
  }

  function lose(process: Process): void {
    process.losses += 1;
    Object.assign(process, { isMissing: true, isLive: false });
  }

  return {
    /**
     * Records a beat that arrived behind all earlier events of its process in a shard. It takes effect when each shard
     * has one.
     */
    hear(beat: Beat, shard = ""): void {
      const process = find(beat);
      learn(process, beat);
      process.beats.set(shard, { ...beat, at: now() });
      if (process.beats.size < shards) return;
      const beats = [...process.beats.values()];
      const hasLost = beats.some(({ has_lost }) => has_lost);
      process.beatAt = Math.min(...beats.map(({ at }) => at));
      process.isLast = beats.every(({ is_last }) => is_last);
      if (hasLost) lose(process);
      else process.isLive = true;
      if (!process.isMissing) process.heard = beats.map(({ position }) => position).sort()[0] as string;
    },

    /** Records a position that a process sent on its stream, past the events. */
    learn: (beat: Beat): void => learn(find(beat), beat),

    /** Records that events of any process may be missing from now on, until beats arrive again. */
    interrupt(): void {
      for (const process of processes.values()) {
        process.beats.clear();
        lose(process);
      }
    },

    /** Notices silent processes, and forgets those that have ended. */
    check(): void {
      for (const [name, process] of processes) {
        const isSilent = now() - process.beatAt > SILENT_AFTER_MS;
        if (isSilent && process.isLive) process.beats.clear();
        if (isSilent) lose(process);
        // svc-users stores nothing that this instance could read.
        if (process.service === "users" && process.isLive) process.isMissing = false;
        if ((process.isLast && !process.isMissing) || now() - process.aliveAt > FORGET_AFTER_MS) {
          processes.delete(name);
          current = undefined;
        }
      }
    },

    /** Returns whether the events of some process are missing. */
    isMissing: (): boolean => [...processes.values()].some(({ isMissing }) => isMissing),

    /** Returns whether a process is up, and its events do not arrive. */
    isCutOff: (): boolean =>
      [...processes.values()].some(({ isLive, aliveAt }) => !isLive && now() - aliveAt < SILENT_AFTER_MS),

    /** Returns the processes with missing messages. */
    missing: (): Missing[] =>
      [...processes.values()].flatMap((process): Missing[] => {
        const { service, isMissing, heard, known, unknown, readAgainFrom = heard, isLive, losses } = process;
        if (service !== "messages" || !isMissing) return [];
        const unknownFrom = unknown[0]?.[0];
        const from = [heard, readAgainFrom, unknownFrom ?? heard].sort()[0] as string;
        const range: Missing["range"] = [from, shiftId(later(heard, known), REACH_MS)];
        return [{ range, unknownFrom, process, known, wasLive: isLive, losses }];
      }),

    /** Records that the range of a process was read and delivered. */
    found({ process, known, unknownFrom, wasLive, losses }: Missing): void {
      process.heard = later(process.heard, known);
      process.readAgainFrom = unknownFrom;
      if (wasLive && process.losses === losses) process.isMissing = false;
    },

    /** Returns the ranges of ids of which this instance does not know what is stored. */
    uncertain: (): Missing["range"][] =>
      [...processes.values()].flatMap(({ service, known, knownAt, unknown }): Missing["range"][] => {
        const isCurrent = now() - knownAt < KNOWN_MAX_MS;
        if (service !== "messages" || (isCurrent && unknown.length === 0)) return [];
        return [[[known, ...unknown.map(([first]) => first)].sort()[0] as string, shiftId(known, REACH_MS)]];
      }),

    /** Records that a read found a message, so that a client that connects later requests it. */
    foundMessage(id: string): void {
      if (!foundAt.has(id)) foundAt.set(id, now());
    },

    /** Returns what a socket that connects now has seen: its client's first request returns everything before. */
    seen(): Seen {
      current ??= new Map([...processes].map(([name, { known, unknown }]) => [name, { position: known, unknown }]));
      return { at: now(), positions: current };
    },

    /**
     * Returns whether a message was stored before a socket connected, so that its client has requested it.
     * @param isNew whether the message comes from the first event about it
     */
    wasStoredBefore({ at, positions }: Seen, messageId: string, isNew: boolean): boolean {
      const name = processOf(messageId);
      const process = processes.get(name);
      if (Number(foundAt.get(messageId)) <= at) return true;
      if (process && messageId >= process.known) return false;
      const said = positions.get(name);
      const position = said?.position ?? process?.start;
      if (position === undefined) return !isNew;
      return messageId < position && !said?.unknown.some(([from, to]) => from <= messageId && messageId <= to);
    },
  };
}

const later = (one: string, other: string): string => (one > other ? one : other);
