import { logIn } from "@messageoh/contracts/users";
import { type Account, pause } from "../client/account.ts";
import { quantile } from "../client/quantile.ts";
import type { startChat } from "./chat.ts";

const LOGIN_INTERVAL_MS = 300;

/** Response times of honest users in milliseconds, and their missing messages. */
export interface HonestFigures {
  /** Median of the sign-ins. */
  logIn: number;
  chatP50: number;
  chatP99: number;
  missing: number;
}

/** Measures pairs that chat and a user who signs in repeatedly. */
export async function observe(
  honest: Account,
  chat: Awaited<ReturnType<typeof startChat>>,
  seconds: number,
  perSecond: number,
): Promise<HonestFigures> {
  const logIns = logInRepeatedly(honest, seconds);
  const { deliveryMs, missing } = await chat.measure(seconds, perSecond);
  return {
    logIn: quantile(await logIns, 0.5),
    chatP50: quantile(deliveryMs, 0.5),
    chatP99: quantile(deliveryMs, 0.99),
    missing,
  };
}

/**
 * Signs in every 300 ms, or when the response arrives, and returns the times in milliseconds; a rejection is infinite.
 */
async function logInRepeatedly(account: Account, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const body = { name: account.name, password: account.password };
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; ) {
    const startedAt = performance.now();
    const isSignedIn = await account.call(logIn, { body }).then(
      () => true,
      () => false,
    );
    const ms = performance.now() - startedAt;
    times.push(isSignedIn ? ms : Number.POSITIVE_INFINITY);
    await pause(Math.max(0, LOGIN_INTERVAL_MS - ms));
  }
  return times;
}
