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

/** What this instance knows of a process that publishes. `start`, `heard` and `known` are positions. */
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
  /** Whether something after `heard` may never arrive as an event. */
  isMissing: boolean;
  /** The last beat of each shard of Redis, with its time. Each loss begins a new map. A full one: events arrive. */
  beats: Map<string, Beat & { at: number }>;
  /** Times of the monotonic clock: when `known` rose, and of the last beat or frame. */
  knownAt: number;
  aliveAt: number;
}

/** Ids of a process among which events are missing. */
export interface Missing {
  range: [from: string, until: string];
  /** Records that the range was read and delivered. */
  found: () => void;
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
    const isMissing = service === "messages" && start < position;
    const ids = { start, heard: start, known: position, unknown: [] };
    // The process may have been at its first position for long.
    const times = { knownAt: Number.NEGATIVE_INFINITY, aliveAt: now() };
    const state: Process = { service, ...ids, isMissing, beats: new Map(), ...times };
    processes.set(name, state);
    return state;
  }

  // Frames of a stream are not validated, and those of the previous release have no `unknown`.
  function learn(process: Process, { position, unknown = [] }: Beat): void {
    if (position > process.known) Object.assign(process, { known: position, knownAt: now() });
    process.unknown = unknown;
    process.aliveAt = now();
    current = undefined;
  }

  const isLive = ({ beats }: Process): boolean => beats.size >= shards;
  const lose = (process: Process) => Object.assign(process, { isMissing: true, beats: new Map() });

  return {
    /**
     * Records a beat that arrived behind all earlier events of its process in a shard. It takes effect when each shard
     * has one.
     */
    hear(beat: Beat, shard = ""): void {
      const process = find(beat);
      learn(process, beat);
      if (beat.has_lost) lose(process);
      else process.beats.set(shard, { ...beat, at: now() });
      if (process.isMissing || !isLive(process)) return;
      process.heard = earliest([...process.beats.values()].map(({ position }) => position));
    },

    /** Records a position that a process sent on its stream, past the events. */
    learn: (beat: Beat): void => learn(find(beat), beat),

    /** Records that events of any process may be missing from now on, until beats arrive again. */
    interrupt: (): void => processes.forEach(lose),

    /** Notices silent processes, and forgets those that have ended. */
    check(): void {
      for (const [name, process] of processes) {
        const beats = [...process.beats.values()];
        if (beats.some(({ at }) => now() - at > SILENT_AFTER_MS)) lose(process);
        // svc-users stores nothing that this instance could read.
        if (process.service === "users" && isLive(process)) process.isMissing = false;
        const hasEnded = isLive(process) && !process.isMissing && beats.every(({ is_last }) => is_last);
        if (hasEnded || now() - process.aliveAt > FORGET_AFTER_MS) {
          processes.delete(name);
          current = undefined;
        }
      }
    },

    /** Returns whether the events of some process are missing. */
    isMissing: (): boolean => [...processes.values()].some(({ isMissing }) => isMissing),

    /** Returns whether a process is up, and its events do not arrive. */
    isCutOff: (): boolean =>
      [...processes.values()].some((process) => !isLive(process) && now() - process.aliveAt < SILENT_AFTER_MS),

    /** Returns what is missing of the processes with missing messages. */
    missing: (): Missing[] =>
      [...processes.values()].flatMap((process): Missing[] => {
        const { service, isMissing, heard, known, beats } = process;
        if (service !== "messages" || !isMissing) return [];
        const [certain, wasLive] = [certainOf(process), isLive(process)];
        function found(): void {
          process.heard = later(process.heard, certain);
          if (wasLive && process.beats === beats) process.isMissing = false;
        }
        return [{ range: [earliest([heard, certain]), shiftId(known, REACH_MS)], found }];
      }),

    /** Returns the ranges of ids of which this instance does not know what is stored. */
    uncertain: (): Missing["range"][] =>
      [...processes.values()].flatMap((process): Missing["range"][] => {
        const { service, known, knownAt, unknown } = process;
        const isCurrent = now() - knownAt < KNOWN_MAX_MS;
        if (service !== "messages" || (isCurrent && unknown.length === 0)) return [];
        return [[certainOf(process), shiftId(known, REACH_MS)]];
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
const earliest = (ids: string[]): string => ids.sort()[0] as string;
/** Returns the id of a process before which everything is stored. */
const certainOf = ({ known, unknown }: Process): string => earliest([known, ...unknown.map(([first]) => first)]);
