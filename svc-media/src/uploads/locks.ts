import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { BUSY } from "@messageoh/contracts/errorTexts";
import { HttpError, unavailable } from "@messageoh/service-kit/errors";
import type { Redis } from "@messageoh/service-kit/redis";
import type { Lock, Locker } from "@tus/server";

/** How long a lock outlives its process, in milliseconds. */
const LEASE_MS = 5_000;
/** Interval in which a holder extends its lease and learns that another request waits, in milliseconds. */
const EXTEND_MS = 1_000;
/** Longest wait for a lock: longer than the lease of a process that crashed, in milliseconds. */
const WAIT_MAX_MS = 7_000;
const POLL_MS = 200;

/**
 * Extends the lease of a holder. Returns -1 if it has lost the lock, 1 if another request waits for it, otherwise 0.
 */
const EXTEND =
  "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end " +
  "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return redis.call('EXISTS', KEYS[2])";
const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end";

/**
 * Creates the locks of uploads, which all instances share: one request at a time reads or writes an upload. A request
 * that waits asks the holder to stop, because after a lost connection the client continues while the server still waits
 * for bytes of the old one.
 */
export const createUploadLocks = (redis: Redis): Locker => ({
  newLock(id): Lock {
    // The braces put both keys into one slot of a cluster.
    const [key, wanted] = [`upload:{${id}}`, `upload:{${id}}:wanted`];
    const token = randomUUID();
    let timer: NodeJS.Timeout | undefined;

    return {
      async lock(signal, cancelRequest) {
        const deadline = performance.now() + WAIT_MAX_MS;
        while ((await redis.set(key, token, "PX", LEASE_MS, "NX").catch(reject)) === null) {
          if (signal.aborted || performance.now() > deadline)
            throw new HttpError(423, "Another request continues this upload. Please try again in a moment");
          await redis.set(wanted, "1", "PX", EXTEND_MS + POLL_MS).catch(reject);
          await pause(POLL_MS);
        }
        let extendedAt = performance.now();
        timer = setInterval(async () => {
          const state = await redis.eval(EXTEND, 2, key, wanted, token, LEASE_MS).catch(() => undefined);
          if (state === 0 || state === 1) extendedAt = performance.now();
          if (state === -1 || state === 1 || performance.now() - extendedAt > LEASE_MS) void cancelRequest();
        }, EXTEND_MS);
      },

      async unlock() {
        clearInterval(timer);
        // Without Redis, the lease ends by itself.
        await redis.eval(RELEASE, 1, key, token).catch(() => {});
      },
    };
  },
});

const reject = (cause: unknown): never => {
  throw unavailable(BUSY, cause);
};
