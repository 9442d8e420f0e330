import { createECDH } from "node:crypto";

const CURVE = "prime256v1";
const PRIVATE_KEY_BYTES = 32;

/** Returns whether bytes are a private key of the curve of VAPID. */
export function isPrivateKey(key: Buffer): boolean {
  try {
    createECDH(CURVE).setPrivateKey(key);
    return key.length === PRIVATE_KEY_BYTES;
  } catch {
    return false;
  }
}

/** Returns the public key of a private key, as browsers and push services want it. */
export function publicKeyOf(privateKey: Buffer): string {
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(privateKey);
  return ecdh.getPublicKey("base64url");
}
