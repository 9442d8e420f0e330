import fc from "fast-check";
import { Account } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import { type Findings, workThrough } from "./findings.ts";
import { valuesOf } from "./sample.ts";
import { type HostileEvent, hostileEvents, rawFrames } from "./socketPackets.ts";

const PER_SOCKET = 1_000;
const SOCKETS_AT_ONCE = 8;
const IN_FLIGHT = 50;

/**
 * Sends well-formed packets with malformed events from signed-in sockets until so many of them have been answered, which
 * proves that they were parsed: each must be refused, and the socket must go on.
 */
export async function sendEvents(url: string, count: number, seed: number, findings: Findings): Promise<void> {
  let refused = 0;
  for (let batch = 0; refused < count && batch < 10; batch += 1) {
    const sockets = Math.ceil((count - refused) / (0.75 * PER_SOCKET));
    const seeds = Array.from({ length: sockets }, (_, n) => seed + batch * 1_000 + n);
    await workThrough(seeds, SOCKETS_AT_ONCE, async (ownSeed) => {
      const ofThisOne = await sendFromOne(url, Math.min(PER_SOCKET, count + 20), ownSeed, findings);
      refused += ofThisOne;
    });
  }
}

async function sendFromOne(url: string, count: number, seed: number, findings: Findings): Promise<number> {
  const [one, other] = await Promise.all([Account.register(url, "Fuzz"), Account.register(url, "Fuzz")]);
  const values = valuesOf(one, other, await one.befriend(other));
  const client = await EngineClient.signIn(url, one.cookie);
  let refused = 0;
  const ask = async ({ name, payload, isValid }: HostileEvent) => {
    const answer = await client.ask(name, payload);
    if (answer === undefined) return findings.fault(`no answer to ${name}`, payload);
    if (isValid) return findings.count("socket: well-formed by accident");
    findings.count("malformed socket events, parsed and answered");
    refused += 1;
    if (typeof answer.error !== "string") findings.fault(`malformed ${name} accepted`, payload);
  };
  await workThrough(fc.sample(hostileEvents(values), { numRuns: count, seed }), IN_FLIGHT, ask);
  if (client.isOpen) findings.count("sockets that went on after all of it");
  else findings.fault("a socket was closed for malformed events");
  client.close();
  return refused;
}

/** Sends frames that are no packets, each on a socket of its own, signed in or not, which the server may close. */
export async function sendFrames(url: string, count: number, seed: number, findings: Findings): Promise<void> {
  const account = await Account.register(url, "Fuzz");
  await workThrough(fc.sample(rawFrames, { numRuns: count, seed }).entries(), SOCKETS_AT_ONCE, async ([n, frame]) => {
    const client =
      n % 2 ? await EngineClient.signIn(url, account.cookie) : await EngineClient.open(url, account.cookie);
    const isOpen = await client.survives(frame);
    findings.count("raw engine.io frames");
    findings.count(isOpen ? "raw frame: the socket went on" : "raw frame: the socket was closed");
    client.close();
  });
}
