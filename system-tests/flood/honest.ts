import { logIn } from "@messageoh/contracts/users";
import { type Account, pause } from "../client/account.ts";
import type { startChat } from "./chat.ts";

const LOG_IN_EVERY_MS = 500;

/** How honest users fare: milliseconds, and messages that did not arrive. */
export interface Fare {
  slowestLogIn: number;
  chatP50: number;
  missing: number;
}

/** Lets pairs chat and a user log in for a while. */
export async function observe(
  honest: Account,
  chat: Awaited<ReturnType<typeof startChat>>,
  seconds: number,
  perSecond: number,
): Promise<Fare> {
  const logIns = logInNowAndThen(honest, seconds);
  const { waits, missing } = await chat.measure(seconds, perSecond);
  return { slowestLogIn: Math.max(...(await logIns)), chatP50: waits[waits.length >> 1] ?? Number.NaN, missing };
}

/** Logs in again and again. Answers the times in milliseconds; a refusal took for ever. */
async function logInNowAndThen(account: Account, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const body = { name: account.name, password: account.password };
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; await pause(LOG_IN_EVERY_MS)) {
    const startedAt = performance.now();
    const isIn = await account.call(logIn, { body }).then(
      () => true,
      () => false,
    );
    times.push(isIn ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
  }
  return times;
}
