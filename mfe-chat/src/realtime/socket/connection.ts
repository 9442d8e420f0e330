import type { Connection } from "../../state/chatState.ts";

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
  /** What the server said when it put the last send off. */
  lateReason: string | null;
  /** What the server said when it refused the connection. */
  refusal: string | null;
}

export const FIRST_FACTS: ConnectionFacts = {
  isOnline: true,
  isSocketUp: false,
  isBroken: false,
  isHttpUp: false,
  isDegraded: false,
  isLate: false,
  lateReason: null,
  refusal: null,
};

export function connectionOf(facts: ConnectionFacts): Connection {
  if (!facts.isOnline) return "offline";
  if (!facts.isSocketUp && facts.isBroken) return facts.isHttpUp ? "degraded" : "connecting";
  return facts.isDegraded || facts.isLate ? "degraded" : "connected";
}

/** Why things are as they are, in the server's own words. */
export function reasonOf(facts: ConnectionFacts): string | null {
  if (!facts.isSocketUp) return facts.refusal;
  return facts.isLate ? facts.lateReason : null;
}

export type ConnectionWatch = ReturnType<typeof createConnectionWatch>;

/** Gathers the facts and tells what they amount to. */
export function createConnectionWatch(onChange: (connection: Connection, reason: string | null) => void) {
  let facts = FIRST_FACTS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function learn(news: Partial<ConnectionFacts>): void {
    facts = { ...facts, ...news };
    onChange(connectionOf(facts), reasonOf(facts));
  }

  return {
    learn,
    facts: () => facts,
    socketUp(): void {
      clearTimeout(timer);
      // The server says it when it is not so.
      learn({ isSocketUp: true, isBroken: false, isDegraded: false, refusal: null });
    },
    socketDown(): void {
      clearTimeout(timer);
      timer = setTimeout(() => learn({ isBroken: true }), GRACE_MS);
      learn({ isSocketUp: false, isHttpUp: false });
    },
    stop: () => clearTimeout(timer),
  };
}
