import { connect } from "node:net";
import { Account, pause } from "../client/account.ts";
import type { Findings } from "./findings.ts";
import { PUBLIC_ENDPOINTS, requestsOf, valuesOf } from "./sample.ts";

/** The connection of account `n` is reset after `n` milliseconds. */
const ACCOUNTS = 24;
/** A response that the server has not ended yet may hold its place for this long. */
const FREED_WITHIN_MS = 5_000;

/**
 * Resets the connection of each call that reads data at each millisecond of it. Afterwards every account must get a
 * response: an aborted call must not keep its place.
 */
export async function abortCalls(url: string, findings: Findings): Promise<void> {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => Account.register(url, "Aborted")));
  const friend = accounts[0] as Account;
  const { hostname, port } = new URL(url);
  for (const endpoint of PUBLIC_ENDPOINTS.filter(({ method }) => method === "GET")) {
    const pathOf = async (account: Account) =>
      (await requestsOf(endpoint, valuesOf(account, friend, "thread")))[0]?.path as string;
    await Promise.all(
      accounts.map(async (account, ms) => {
        const path = await pathOf(account);
        const socket = connect({ host: hostname, port: Number(port) }).on("error", () => {});
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${account.cookie}\r\n\r\n`);
        await pause(ms);
        socket.resetAndDestroy();
      }),
    );
    for (const [ms, account] of accounts.entries()) {
      const path = await pathOf(account);
      const status = await statusOf(url + path, account.cookie);
      findings.count("calls after an aborted one");
      if (status === 429 || status >= 500)
        findings.fault(`status ${status} after an aborted call`, `${path}, aborted after ${ms} ms`);
    }
  }
}

/** Returns the status of a call, repeated while its account is refused. */
async function statusOf(url: string, cookie: string): Promise<number> {
  for (const endsAt = Date.now() + FREED_WITHIN_MS; ; await pause(100)) {
    const response = await fetch(url, { headers: { cookie } });
    await response.arrayBuffer();
    if (response.status !== 429 || Date.now() > endsAt) return response.status;
  }
}
