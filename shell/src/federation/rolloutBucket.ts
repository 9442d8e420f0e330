/**
 * A number from 0 to 100 that this browser keeps: a canary for N % goes to those below N. One per remote, so that the
 * first to try one team's release are not always the first to try the other's.
 */
export function rolloutBucket(
  remote: string,
  storage: () => Pick<Storage, "getItem" | "setItem"> = () => localStorage,
): number {
  const key = `messageoh:rollout:${remote}`;
  try {
    const kept = storage().getItem(key);
    if (kept !== null && Number.isFinite(Number(kept))) return Number(kept);
    const bucket = Math.random() * 100;
    storage().setItem(key, String(bucket));
    return bucket;
  } catch {
    // A browser that keeps nothing could not stay with one release: it never gets a canary.
    return 100;
  }
}
