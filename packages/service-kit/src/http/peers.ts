import { setTimeout as pause } from "node:timers/promises";
import { type Endpoint, endpoint } from "@messageoh/contracts/endpoint";
import * as v from "valibot";
import type { Logger } from "../telemetry/logger.ts";

const RETRY_MS = 500;
/** Attempts with the same reason before a log line. Services that start together need fewer. */
const LOGGED_AT = 4;

/** Endpoint that lists the internal calls of a service, by {@link callName}. */
export const listInternalCalls = endpoint({
  method: "GET",
  path: "/internal/calls",
  response: v.object({ calls: v.array(v.string()) }),
});

/** A service that this service calls. */
export interface Peer {
  /** Name of the peer in the log. */
  name: string;
  call: (endpoint: typeof listInternalCalls) => Promise<{ calls: string[] }>;
  /** Endpoints that this service calls. */
  needs: readonly Endpoint[];
}

/** Returns the name of an endpoint in {@link listInternalCalls}, for example `POST /internal/messages`. */
export const callName = ({ method, path }: Pick<Endpoint, "method" | "path">): string => `${method} ${path}`;

/**
 * Resolves when every peer serves the endpoints that this service needs. It retries every {@link RETRY_MS} milliseconds
 * and logs a lasting reason: unreachable, wrong secret, or a release that lacks an endpoint.
 */
export async function waitForPeers(peers: readonly Peer[], logger: Logger): Promise<void> {
  await Promise.all(peers.map((peer) => waitForPeer(peer, logger)));
}

async function waitForPeer({ name, call, needs }: Peer, logger: Logger): Promise<void> {
  let last: string | undefined;
  let attempts = 0;
  for (;;) {
    const reason = await findReason(call, needs);
    if (reason === undefined) return;
    attempts = reason === last ? attempts + 1 : 1;
    last = reason;
    if (attempts === LOGGED_AT) logger.warn({ peer: name, reason }, "waiting for a peer");
    await pause(RETRY_MS);
  }
}

async function findReason(call: Peer["call"], needs: readonly Endpoint[]): Promise<string | undefined> {
  try {
    const { calls } = await call(listInternalCalls);
    const missing = needs.map(callName).filter((name) => !calls.includes(name));
    return missing.length > 0 ? `it does not serve ${missing.join(", ")}: it runs another release` : undefined;
  } catch (error) {
    const status = (error as { status?: number }).status ?? 0;
    if (status === 0) return "it cannot be reached: check its URL";
    if (status === 404) return "it responded 404: INTERNAL_SECRET differs, or it runs an older release";
    return `it responded ${status}`;
  }
}
