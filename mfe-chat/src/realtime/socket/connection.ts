import type { Connection } from "../../state/chatState.ts";

/** Grace period for short interruptions, such as a release of the server or a change of the network. */
export const GRACE_MS = 3_000;

type ConnectionFacts = typeof FIRST_FACTS;

export const FIRST_FACTS = {
  /** State of the network according to the browser. */
  isOnline: true,
  isSocketUp: false,
  /** The socket has been down for longer than the grace period. */
  isBroken: false,
  /** Whether the last HTTP request succeeded. */
  isHttpUp: false,
  /** The server reports that it stores or delivers late. */
  isDegraded: false,
  /** A send was deferred or timed out. */
  isLate: false,
  /** Reason of the server for the last deferred send. */
  lateReason: null as string | null,
  /** Reason of the server for refusing the connection. */
  refusal: null as string | null,
  /** The last attempt to connect got no response. */
  isUnreachable: false,
};

export function connectionOf(facts: ConnectionFacts): Connection {
  if (!facts.isOnline) return "offline";
  if (!facts.isSocketUp && facts.isBroken) {
    if (facts.isHttpUp) return "degraded";
    return facts.isUnreachable ? "unreachable" : "connecting";
  }
  return facts.isDegraded || facts.isLate ? "degraded" : "connected";
}

/** Returns the server's reason for the current state. */
export function reasonOf(facts: ConnectionFacts): string | null {
  if (!facts.isSocketUp) return facts.refusal;
  return facts.isLate ? facts.lateReason : null;
}

export type ConnectionWatch = ReturnType<typeof createConnectionWatch>;

/** Returns a watcher that combines the facts and reports changes of the connection state. */
export function createConnectionWatch(
  onChange: (connection: Connection, reason: string | null, facts: ConnectionFacts) => void,
) {
  let facts = FIRST_FACTS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function learn(changes: Partial<ConnectionFacts>): void {
    facts = { ...facts, ...changes };
    onChange(connectionOf(facts), reasonOf(facts), facts);
  }

  return {
    learn,
    facts: () => facts,
    socketUp(): void {
      clearTimeout(timer);
      // The server reports again if it is still degraded.
      learn({ isSocketUp: true, isBroken: false, isDegraded: false, refusal: null, isUnreachable: false });
    },
    socketDown(): void {
      clearTimeout(timer);
      timer = setTimeout(() => learn({ isBroken: true }), GRACE_MS);
      learn({ isSocketUp: false, isHttpUp: false });
    },
    stop: () => clearTimeout(timer),
  };
}
