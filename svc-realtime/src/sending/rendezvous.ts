/**
 * Returns the candidate that owns a key (rendezvous hashing). Their URLs are unique. The result does not depend on
 * their order, and a candidate that joins or leaves moves only its own keys.
 */
export function ownerAmong<C extends { url: string }>(candidates: readonly C[], key: string): C | undefined {
  const keyHash = hashOf(key);
  let owner: C | undefined;
  let highest = -1;
  for (const candidate of candidates) {
    const score = mix(keyHash ^ hashOf(candidate.url));
    if (score > highest) [owner, highest] = [candidate, score];
  }
  return owner;
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** The finaliser of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
