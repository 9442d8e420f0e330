import { PASSWORD_MAX_BYTES } from "@messageoh/contracts/limits";
import bcrypt from "bcrypt";
import { createHashingQueue, type HashingQueueOptions } from "./hashingQueue.ts";

export interface Passwords {
  /** Throws 429 if a password from this address would be refused now. */
  refuseIfFull(address: string): void;
  /** Counts a failed sign-in that needed no hash. `matches` counts the others. */
  failed(address: string): void;
  /** Resolves with the hash, or rejects with 429. */
  hash(password: string, address: string, isGone?: () => boolean): Promise<string>;
  /** Returns whether a hash has a lower cost than new hashes. */
  isOutdated(hash: string): boolean;
  /**
   * Returns whether the password is correct. It takes the same time without a hash, so it does not reveal which users
   * exist.
   */
  matches(password: string, hash: string | undefined, address: string, isGone?: () => boolean): Promise<boolean>;
}

/**
 * Returns bcrypt behind a queue that is fair to addresses.
 * @param cost a hash takes 2^cost rounds
 */
export async function createPasswords(cost: number, options: HashingQueueOptions): Promise<Passwords> {
  const queue = createHashingQueue(options);
  const unusedHash = await bcrypt.hash("nobody's password", cost);
  return {
    refuseIfFull: queue.refuseIfFull,
    failed: queue.failed,
    hash: (password, address, isGone) => queue.run(address, () => bcrypt.hash(password, cost), isGone),
    isOutdated: (hash) => bcrypt.getRounds(hash) < cost,
    async matches(password, hash, address, isGone) {
      // bcrypt ignores the bytes after these, so a correct beginning would be accepted.
      const isWithinLimit = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES;
      const known = isWithinLimit ? hash : undefined;
      const isEqual = await queue.run(address, () => bcrypt.compare(password, known ?? unusedHash), isGone);
      const isCorrect = isEqual && known !== undefined;
      if (!isCorrect) queue.failed(address);
      return isCorrect;
    },
  };
}
