import { setTimeout as pause } from "node:timers/promises";
import { type Endpoint, endpoint } from "@messageoh/contracts/endpoint";
import * as z from "zod/mini";
import type { Logger } from "../telemetry/logger.ts";

const RETRY_MS = 500;
/** A stack that starts as a whole is through before. */
const LOGGED_AT = 4;

/** The calls that a service serves to other services, as {@link callName} names them. */
export const listInternalCalls = endpoint({
  method: "GET",
  path: "/internal/calls",
  answer: z.object({ calls: z.array(z.string()) }),
});

export interface Peer {
  /** Name of the peer in the log. */
  name: string;
  call: (endpoint: typeof listInternalCalls) => Promise<{ calls: string[] }>;
  /** The calls that this service makes to it. */
  needs: readonly Endpoint[];
}

/** Names an endpoint as {@link listInternalCalls} does. */
export const callName = ({ method, path }: Pick<Endpoint, "method" | "path">): string => `${method} ${path}`;

/**
 * Resolves once every peer has answered that it serves the calls that are needed. Until then it asks again and logs a
 * reason that lasts: unreachable, wrong secret, or an older release that lacks a call.
 */
export async function waitForPeers(peers: readonly Peer[], logger: Logger): Promise<void> {
  await Promise.all(peers.map((peer) => waitForPeer(peer, logger)));
}

async function waitForPeer({ name, call, needs }: Peer, logger: Logger): Promise<void> {
  let last: string | undefined;
  let times = 0;
  for (;;) {
    const reason = await whyNot(call, needs);
    if (reason === undefined) return;
    times = reason === last ? times + 1 : 1;
    last = reason;
    if (times === LOGGED_AT) logger.warn({ peer: name, reason }, "not ready: peer is not usable");
    await pause(RETRY_MS);
  }
}

async function whyNot(call: Peer["call"], needs: readonly Endpoint[]): Promise<string | undefined> {
  try {
    const { calls } = await call(listInternalCalls);
    const missing = needs.map(callName).filter((name) => !calls.includes(name));
    return missing.length > 0 ? `it does not serve ${missing.join(", ")}: it runs another release` : undefined;
  } catch (error) {
    const status = (error as { status?: number }).status ?? 0;
    if (status === 0) return "it cannot be reached: is the URL right?";
    if (status === 404) return "it does not know the call: INTERNAL_SECRET differs, or it runs an older release";
    return `it answered ${status}`;
  }
}
