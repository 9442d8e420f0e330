/** Receives the delivery and the ack of each message by its number. */
export interface Meter {
  delivered(n: number): void;
  acked(n: number): void;
}

/** A user's connection in any protocol. */
export interface Connection {
  /** Sets the meter. */
  listen(meter: Meter): void;
  /** Sends message number `n` to the user's partner. */
  send(n: number): void;
  close(): void;
}

const TEXT_CHARACTERS = 20;

/** Returns a text that contains the number of the message, which `numberIn` finds without parsing JSON. */
export const numbered = (n: number): string => `#${n}#`.padEnd(TEXT_CHARACTERS, "x");

/** Returns the number in a frame with a {@link numbered} text, or -1. */
export function numberIn(frame: string): number {
  const start = frame.indexOf("#");
  return start < 0 ? -1 : Number.parseInt(frame.slice(start + 1, start + 12), 10);
}
