/** What an attacker is told, as JSON on its standard input. */
export interface AttackPlan {
  port: number;
  seconds: number;
  /** Share of one core that it may use. */
  cpu: number;
  /** Requests or events that it sends at most. */
  countMax: number;
  addresses: string[];
  connections: number;
  cookie: string;
  /** Requests to send in turn, or events as JSON; {@link COUNTER} becomes a number that is never the same. */
  requests?: { method: string; path: string; body?: string }[];
  events?: string[];
}
/** How many it sent, how many answers had which status (200 or 400 for an event), and the share of a core that it used. */
export interface AttackOutcome {
  sent: number;
  answers: Record<string, number>;
  cpu: number;
}
export const COUNTER = "--n--";
