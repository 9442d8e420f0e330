import { connect, type Socket } from "node:net";
import { Account, pause } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import type { Findings } from "./findings.ts";

/** Longer than every timeout of the server. */
const CLOSED_WITHIN_MS = 40_000;
const RESPONSE_MAX_MS = 10_000;
const START = "POST /messageoh/login HTTP/1.1\r\nHost: a\r\n";
const BODY_START = `${START}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;

/**
 * Opens stalled connections: incomplete headers and bodies, and sockets that do not connect or respond to pings. The
 * server must serve other users and close all stalled connections.
 */
export async function stall(url: string, count: number, findings: Findings): Promise<void> {
  const { hostname: host, port } = new URL(url);
  const account = await Account.register(url, "Stalled");
  const dripping: Socket[] = [];
  let open = 0;
  const drip = (start: string, next: string) => {
    const socket = connect({ host, port: Number(port) });
    open += 1;
    socket.on("error", () => {});
    socket.once("close", () => {
      open -= 1;
    });
    socket.write(start);
    const timer = setInterval(() => socket.write(next), 2_000);
    socket.once("close", () => clearInterval(timer));
    socket.resume();
    dripping.push(socket);
  };
  for (let n = 0; n < count; n += 1) {
    drip(START, "X: y\r\n");
    // Sends no more bytes, because the server allows a slow body.
    drip(BODY_START, "");
  }
  const halfOpen = await Promise.all(
    Array.from({ length: count }, () => EngineClient.open(url, account.cookie, { isSilent: true })),
  );
  findings.counts.set("stalled connections (headers, bodies, sockets)", 3 * count);

  const endsAt = Date.now() + CLOSED_WITHIN_MS;
  while (Date.now() < endsAt && (open > 0 || halfOpen.some(({ isOpen }) => isOpen))) {
    const signal = AbortSignal.timeout(RESPONSE_MAX_MS);
    const headers = { cookie: account.cookie };
    const response = await fetch(`${url}/messageoh/users/${account.id}`, { headers, signal }).catch(() => undefined);
    await response?.body?.cancel();
    findings.count("calls of other users while connections stalled");
    if (!response?.ok) findings.fault("other users were not served while connections stalled", `${response?.status}`);
    await pause(500);
  }
  const left = halfOpen.filter(({ isOpen }) => isOpen).length;
  findings.counts.set("stalled connections that the server closed", 3 * count - open - left);
  if (open + left > 0)
    findings.fault("stalled connections were not closed in time", `${open} dripping, ${left} silent`);
  for (const socket of dripping) socket.destroy();
  for (const client of halfOpen) client.close();
}
