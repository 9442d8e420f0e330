import type { Connection } from "../state/model.ts";

/** A break shorter than this is nobody's business: a release of the server, a change of the network. */
export const GRACE_MS = 3_000;

export interface ConnectionFacts {
  /** What the browser says of its network. */
  isOnline: boolean;
  isSocketUp: boolean;
  /** The socket has been down for longer than the grace. */
  isBroken: boolean;
  /** Whether the last HTTP call got an answer. */
  isHttpUp: boolean;
  /** The server says of itself that it stores or delivers late. */
  isDegraded: boolean;
  /** A send was put off, or not answered in time. */
  isLate: boolean;
}

export const FIRST_FACTS: ConnectionFacts = {
  isOnline: true,
  isSocketUp: false,
  isBroken: false,
  isHttpUp: false,
  isDegraded: false,
  isLate: false,
};

export function connectionOf(facts: ConnectionFacts): Connection {
  if (!facts.isOnline) return "offline";
  if (!facts.isSocketUp && facts.isBroken) return facts.isHttpUp ? "degraded" : "connecting";
  return facts.isDegraded || facts.isLate ? "degraded" : "connected";
}

export type ConnectionWatch = ReturnType<typeof createConnectionWatch>;

/** Gathers the facts and tells what they amount to. */
export function createConnectionWatch(onChange: (connection: Connection) => void) {
  let facts = FIRST_FACTS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function learn(news: Partial<ConnectionFacts>): void {
    facts = { ...facts, ...news };
    onChange(connectionOf(facts));
  }

  return {
    learn,
    facts: () => facts,
    socketUp(): void {
      clearTimeout(timer);
      // The server says it when it is not so.
      learn({ isSocketUp: true, isBroken: false, isDegraded: false });
    },
    socketDown(): void {
      clearTimeout(timer);
      timer = setTimeout(() => learn({ isBroken: true }), GRACE_MS);
      learn({ isSocketUp: false, isHttpUp: false });
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
