import bcrypt from "bcrypt";

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time whether or not there is a hash to compare with. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

/**
 * bcrypt at a given cost (2^cost rounds). It reads 72 bytes at most: longer passwords are refused before they get here.
 */
export async function createPasswords(cost: number): Promise<Passwords> {
  const nobodysHash = await bcrypt.hash("nobody's password", cost);
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const isEqual = await bcrypt.compare(password, hash ?? nobodysHash);
      return isEqual && hash !== undefined;
    },
  };
}
