/**
 * Returns the rollout bucket of this browser, from 0 to 100: a canary of N % goes to buckets below N. Each remote has
 * its own bucket, so that its canaries reach different users.
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
    // Without storage a browser would switch between releases, so it never gets a canary.
    return 100;
  }
}
