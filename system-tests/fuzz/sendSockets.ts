import fc from "fast-check";
import pLimit from "p-limit";
import { Account } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import type { Findings } from "./findings.ts";
import { valuesOf } from "./sample.ts";
import { type HostileEvent, hostileEvents, rawFrames } from "./socketPackets.ts";

const PER_SOCKET = 1_000;
const SOCKETS_AT_ONCE = 8;
const IN_FLIGHT = 50;

/**
 * Sends malformed events in well-formed packets until the server has acked `count` of them. It must reject each event
 * and keep the socket open.
 */
export async function sendEvents(url: string, count: number, seed: number, findings: Findings): Promise<void> {
  let rejected = 0;
  for (let batch = 0; rejected < count && batch < 10; batch += 1) {
    const sockets = Math.ceil((count - rejected) / (0.75 * PER_SOCKET));
    const seeds = Array.from({ length: sockets }, (_, n) => seed + batch * 1_000 + n);
    await pLimit(SOCKETS_AT_ONCE).map(seeds, async (ownSeed) => {
      rejected += await sendFromOne(url, Math.min(PER_SOCKET, count + 20), ownSeed, findings);
    });
  }
  if (rejected < count) findings.fault("too few malformed events were acked", `${rejected} of ${count}`);
}

async function sendFromOne(url: string, count: number, seed: number, findings: Findings): Promise<number> {
  const [one, other] = await Promise.all([Account.register(url, "Fuzz"), Account.register(url, "Fuzz")]);
  const values = valuesOf(one, other, await one.befriend(other));
  const client = await EngineClient.signIn(url, one.cookie);
  let rejected = 0;
  const send = async ({ name, payload, isValid }: HostileEvent) => {
    const ack = await client.request(name, payload);
    if (ack === undefined) return findings.fault(`no ack of ${name}`, payload);
    if (isValid) return findings.count("socket events: valid by chance");
    findings.count("malformed socket events, acked");
    rejected += 1;
    if (typeof ack.error !== "string") findings.fault(`malformed ${name} accepted`, payload);
  };
  await pLimit(IN_FLIGHT).map(fc.sample(hostileEvents(values), { numRuns: count, seed }), send);
  if (client.isOpen) findings.count("sockets still open at the end");
  else findings.fault("a socket was closed for malformed events");
  client.close();
  return rejected;
}

/** Sends each raw frame on its own connection, with or without a connected socket; the server may close it. */
export async function sendFrames(url: string, count: number, seed: number, findings: Findings): Promise<void> {
  const account = await Account.register(url, "Fuzz");
  await pLimit(SOCKETS_AT_ONCE).map(fc.sample(rawFrames, { numRuns: count, seed }).entries(), async ([n, frame]) => {
    const client =
      n % 2 ? await EngineClient.signIn(url, account.cookie) : await EngineClient.open(url, account.cookie);
    const isOpen = await client.survives(frame);
    findings.count("raw engine.io frames");
    findings.count(isOpen ? "raw frame: the socket stayed open" : "raw frame: the socket was closed");
    client.close();
  });
}
