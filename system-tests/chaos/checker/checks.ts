/** Checks of the checker, in the order of the report. Each must happen in a run, unless the run leaves it out. */
export const CHECKS = [
  "each message is acked",
  "an acked message is stored",
  "a message is stored once",
  "messages are stored in the order of sending",
  "an ack names its own message",
  "no valid message is refused",
  "nothing is delivered after its refusal",
  "an ended friendship refuses messages",
  "sender, thread and text are unchanged",
  "nobody else receives a message",
  "nobody else receives a receipt",
  "a connected client receives each message",
  "an event arrives once",
  "events arrive in order",
  "a tab shows each message",
  "a tab shows a message once",
  "a tab shows messages in order",
  "a tab shows the newest state of each message",
  "a draft is saved",
  "a deleted message stays deleted",
  "a valid file is accepted",
  "an acked file can be downloaded",
  "a thread list is not stale",
  "unread counts equal the model",
  "an opened thread is read",
  "delivered ticks are true",
  "read ticks are true",
  "ticks arrive",
  "no 401 with a valid session",
  "no sign-out of a valid session",
  "a valid sign-in is accepted",
  "an ended session is refused",
  "an old password is refused",
  "each action completes",
  "both sides have a friendship",
  "friends see the current name",
  "a deleted account is gone",
  "messages are fast without faults",
  "each pair exchanges a message after the last fault",
  "unaffected pairs are fast during a fault",
] as const;
export type CheckName = (typeof CHECKS)[number];

export interface CheckResult {
  name: CheckName;
  times: number;
  violations: number;
  /** Reason why this run does not need the check. */
  leftOut?: string;
}

const DETAILS_PER_CHECK = 5;

/** Counts how often each check was made and violated. */
export class Checks {
  readonly #results = new Map<CheckName, CheckResult>(
    CHECKS.map((name) => [name, { name, times: 0, violations: 0 }] as const),
  );
  readonly details: string[] = [];

  /** Records that a check was made. Calls `detail` if it failed. */
  verify(name: CheckName, isKept: boolean, detail: () => string): void {
    const result = this.#of(name);
    result.times += 1;
    if (isKept) return;
    result.violations += 1;
    if (result.violations <= DETAILS_PER_CHECK) this.details.push(`${name}: ${detail()}`);
  }

  leaveOut(name: CheckName, reason: string): void {
    this.#of(name).leftOut = reason;
  }

  results(): CheckResult[] {
    return [...this.#results.values()];
  }

  #of(name: CheckName): CheckResult {
    return this.#results.get(name) as CheckResult;
  }
}

/** Returns whether a check passed: it was made, or left out on purpose, and never violated. */
export const hasPassed = ({ times, violations, leftOut }: CheckResult): boolean =>
  violations === 0 && (times > 0 || leftOut !== undefined);
