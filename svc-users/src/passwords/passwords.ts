import { PASSWORD_MAX_BYTES } from "@messageoh/contracts/limits";
import bcrypt from "bcrypt";
import { createHashingQueue, type HashingQueueOptions } from "./hashingQueue.ts";

export interface Passwords {
  /** Throws 429 when a password from this address could not be hashed now. */
  refuseIfFull(address: string): void;
  /** Tells of a failed log-in that needed no hash; those that do are counted by `matches`. */
  failed(address: string): void;
  hash(password: string, address: string): Promise<string>;
  /** Whether a hash is cheaper than hashes made now. */
  isOutdated(hash: string): boolean;
  /** Takes the same time whether or not there is a hash to compare with. */
  matches(password: string, hash: string | undefined, address: string): Promise<boolean>;
}

/** bcrypt at a given cost (2^cost rounds), a few at a time, fairly between the addresses that ask. */
export async function createPasswords(cost: number, options: HashingQueueOptions): Promise<Passwords> {
  const queue = createHashingQueue(options);
  const nobodysHash = await bcrypt.hash("nobody's password", cost);
  return {
    refuseIfFull: queue.refuseIfFull,
    failed: queue.failed,
    hash: (password, address) => queue.run(address, () => bcrypt.hash(password, cost)),
    isOutdated: (hash) => bcrypt.getRounds(hash) < cost,
    async matches(password, hash, address) {
      // bcrypt reads no further: what stands behind would not count, and a right beginning would be enough.
      const isReadWhole = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES;
      const known = isReadWhole ? hash : undefined;
      const isEqual = await queue.run(address, () => bcrypt.compare(password, known ?? nobodysHash));
      const isRight = isEqual && known !== undefined;
      if (!isRight) queue.failed(address);
      return isRight;
    },
  };
}
