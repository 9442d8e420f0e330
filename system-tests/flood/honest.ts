import { logIn } from "@messageoh/contracts/users";
import { type Account, pause } from "../client/account.ts";
import type { startChat } from "./chat.ts";

const LOGIN_INTERVAL_MS = 500;

/** Response times of honest users in milliseconds, and their missing messages. */
export interface HonestFigures {
  slowestLogIn: number;
  chatP50: number;
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
    slowestLogIn: Math.max(...(await logIns)),
    chatP50: deliveryMs[deliveryMs.length >> 1] ?? Number.NaN,
    missing,
  };
}

/** Signs in repeatedly and returns the times in milliseconds; a rejection counts as infinite. */
async function logInRepeatedly(account: Account, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const body = { name: account.name, password: account.password };
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; await pause(LOGIN_INTERVAL_MS)) {
    const startedAt = performance.now();
    const isSignedIn = await account.call(logIn, { body }).then(
      () => true,
      () => false,
    );
    times.push(isSignedIn ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
  }
  return times;
}
