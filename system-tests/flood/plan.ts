/** Settings of an attack, which the attacker reads as JSON from its standard input. */
export interface AttackPlan {
  port: number;
  seconds: number;
  /** Maximum share of one core. */
  cpu: number;
  /** Maximum number of requests or events. */
  countMax: number;
  addresses: string[];
  connections: number;
  cookie: string;
  /** Requests, or events as JSON, to send in turn. A unique number replaces {@link COUNTER}. */
  requests?: { method: string; path: string; body?: string }[];
  events?: string[];
}
/** Number of requests sent, number of responses by status (200 or 400 for events), and the share of a core used. */
export interface AttackOutcome {
  sent: number;
  responses: Record<string, number>;
  cpu: number;
}
export const COUNTER = "--n--";
