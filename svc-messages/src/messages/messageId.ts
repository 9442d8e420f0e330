import { randomBytes } from "node:crypto";

/** A wall clock that moves by more than this against the monotonic clock, in milliseconds, was set. */
const SET_BY_MS = 500;
const sinceStart = () => Date.now() - performance.now();
const newProcessId = () => randomBytes(3).toString("hex");

let processId = newProcessId();
let clockAt = sinceStart();
let counter = 0;

/**
 * Returns the process in the ids of the messages that it stores. It changes when the clock of the process is set, so that
 * all times with the same process are times of the same clock.
 */
export function currentProcessId(): string {
  const now = sinceStart();
  if (Math.abs(now - clockAt) > SET_BY_MS) processId = newProcessId();
  clockAt = now;
  return processId;
}

/** Returns the smallest id of a message that was stored at this time or later. */
export const firstIdAt = (time: Date) => time.getTime().toString(16).padStart(12, "0");

/** Time, process and a counter: unique everywhere, and in the order of storing within a process. */
export function newMessageId(): string {
  counter = (counter + 1) % 0x1_00_00_00;
  return firstIdAt(new Date()) + currentProcessId() + counter.toString(16).padStart(6, "0");
}
