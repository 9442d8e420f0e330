/** Share of a batcher's limits that retried items may take, so that new items always find room. */
const RETRIED_SHARE = 1 / 2;
/** Share of the waiting items that the retried items of one owner may take. */
const OWNER_SHARE = 1 / 50;

interface Retried {
  owner: string;
  bytes: number;
}

/**
 * Creates the places of a batcher's retried items, limited in items, in bytes and per owner.
 * @param limits the batcher's limits of waiting items and bytes
 */
export function createRetryPlaces({ waitingItems, waitingBytes }: { waitingItems: number; waitingBytes: number }) {
  const ofOwner = new Map<string, number>();
  let items = 0;
  let bytes = 0;
  return {
    /** Takes a place for an item. Returns `false` if there is none. */
    take(of: Retried): boolean {
      const own = ofOwner.get(of.owner) ?? 0;
      const isFull = items >= waitingItems * RETRIED_SHARE || bytes >= waitingBytes * RETRIED_SHARE;
      if (isFull || own >= waitingItems * OWNER_SHARE) return false;
      ofOwner.set(of.owner, own + 1);
      items += 1;
      bytes += of.bytes;
      return true;
    },

    /** Releases the place of an item. */
    release(of: Retried): void {
      const own = (ofOwner.get(of.owner) ?? 0) - 1;
      if (own > 0) ofOwner.set(of.owner, own);
      else ofOwner.delete(of.owner);
      items -= 1;
      bytes -= of.bytes;
    },
  };
}
