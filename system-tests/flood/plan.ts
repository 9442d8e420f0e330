import type { SentRequest } from "../fuzz/sample.ts";

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
  /** File that uploaders send. */
  picturePath: string;
  /** The senders, which share the connections. */
  senders: (Load & { cookie: string })[];
}
/** Requests, or frames on sockets, to send in turn. A unique number of eight digits replaces {@link COUNTER}. */
export interface Load {
  requests?: SentRequest[];
  frames?: string[];
  /** Whether the frames are sent on connections without a socket. */
  isBeforeConnect?: boolean;
  /** Thread for which the sender uploads a picture, instead of requests and frames. */
  uploadsTo?: string;
}
/** Number of requests sent, number of responses by status (200 or 400 for acks), and the share of a core used. */
export interface AttackOutcome {
  sent: number;
  responses: Record<string, number>;
  cpu: number;
}
export const COUNTER = "--n--";
