import { limited } from "@messageoh/service-kit/rateLimit";

/** Most bytes per second that the sockets of one user get on this instance, and how far they may be ahead of it. */
const BYTES_PER_SECOND = 1_000_000;
const BURST_MS = 1_000;
/** Most bytes of messages that wait: for one user, and for all users. */
const USER_WAITING_MAX = 8_000_000;
const WAITING_MAX = 32_000_000;

/** A message to emit to the sockets of a user. */
export interface Emission {
  threadId: string;
  /** Size of the message. */
  bytes: number;
  /** Bytes that count towards the rate, for all sockets together. */
  cost: number;
  emit: () => void;
}

interface UserState {
  /** Time of the monotonic clock until which the messages so far use the rate. */
  busyUntil: number;
  /** Messages that wait, by thread. The first thread is the next one. */
  waiting: Map<string, Emission[]>;
  waitingBytes: number;
  timer?: NodeJS.Timeout | undefined;
}

export type EmitThrottle = ReturnType<typeof createEmitThrottle>;

/**
 * Limits the rate at which messages are emitted to the sockets of a user, so that a user with many sockets does not
 * occupy the instance and the gateway. Messages above the rate wait. The threads of a user take turns, and each keeps
 * the order of its messages.
 * @param onOverflow called when too much waits for a user, with the bytes that waited and are dropped
 */
export function createEmitThrottle(onOverflow: (userId: string, waitingBytes: number) => void) {
  const users = new Map<string, UserState>();
  let waitingTotal = 0;

  /** Returns the time until the rate allows another message, in milliseconds; not positive if it allows one now. */
  const waitMs = ({ busyUntil }: UserState) => busyUntil - BURST_MS - performance.now();

  function emitNow(user: UserState, { cost, emit }: Emission): void {
    user.busyUntil = Math.max(user.busyUntil, performance.now()) + (cost / BYTES_PER_SECOND) * 1_000;
    emit();
  }

  function emitWaiting(user: UserState): void {
    user.timer = undefined;
    for (const [threadId, emissions] of user.waiting) {
      if (waitMs(user) > 0) {
        schedule(user);
        return;
      }
      const emission = emissions.shift() as Emission;
      user.waiting.delete(threadId);
      // The thread moves to the end, where this loop reaches it again.
      if (emissions.length > 0) user.waiting.set(threadId, emissions);
      countWaiting(user, -emission.bytes);
      emitNow(user, emission);
    }
  }

  function schedule(user: UserState): void {
    user.timer ??= setTimeout(emitWaiting, Math.max(1, waitMs(user)), user).unref();
  }

  function countWaiting(user: UserState, bytes: number): void {
    user.waitingBytes += bytes;
    waitingTotal += bytes;
  }

  function forget(userId: string): void {
    const user = users.get(userId);
    if (!user) return;
    clearTimeout(user.timer);
    waitingTotal -= user.waitingBytes;
    users.delete(userId);
  }

  return {
    /** Emits a message to the sockets of a user now, or as soon as the rate allows it. */
    emit(userId: string, emission: Emission): void {
      const { threadId, bytes } = emission;
      const user = users.get(userId) ?? { busyUntil: 0, waiting: new Map(), waitingBytes: 0 };
      users.set(userId, user);
      if (user.waiting.size === 0 && waitMs(user) <= 0) {
        emitNow(user, emission);
        return;
      }
      if (user.waitingBytes + bytes > USER_WAITING_MAX || waitingTotal + bytes > WAITING_MAX) {
        forget(userId);
        onOverflow(userId, user.waitingBytes);
        return;
      }
      if (user.waiting.size === 0) limited.inc({ limit: "emitted_bytes" });
      const emissions = user.waiting.get(threadId);
      if (emissions) emissions.push(emission);
      else user.waiting.set(threadId, [emission]);
      countWaiting(user, bytes);
      schedule(user);
    },

    /** Drops the messages that wait for a user whose last socket here disconnected. */
    forget,
  };
}
