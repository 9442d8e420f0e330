import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { makeCertificate } from "@messageoh/stack/certificate";

/** A request that the push service received. */
interface ReceivedPush {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/**
 * Starts a push service over HTTPS on the loopback address, with a certificate of its own.
 * @returns its requests; `respond` decides the status per path (default: 201) and may never resolve
 */
export async function startPushService() {
  const dir = await mkdtemp(join(tmpdir(), "messageoh-push-"));
  const { certificate: caFile, key: keyFile } = await makeCertificate(dir, "DNS:push.test");
  const ca = await readFile(caFile, "utf8");
  const received: ReceivedPush[] = [];
  const service = { respond: async (_path: string): Promise<number> => 201 };
  const handle: RequestListener = async (request, response) => {
    const path = request.url ?? "";
    received.push({ path, headers: request.headers, body: await buffer(request) });
    const status = await service.respond(path);
    response.writeHead(status, status === 101 ? { connection: "upgrade", upgrade: "other" } : {}).end();
  };
  const server = createServer({ key: await readFile(keyFile), cert: ca }, handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(service, {
    host: `localhost:${port}`,
    port,
    ca,
    /** For `NODE_EXTRA_CA_CERTS`. */
    caFile,
    received,
    pathsReceived: () => received.map(({ path }) => path),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true });
    },
  });
}

/** Returns a browser's subscription to push notifications, and the function that decrypts them (RFC 8291). */
export function aPushBrowser(endpoint: string) {
  const ecdh = createECDH("prime256v1");
  const ownKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

  return {
    subscription: { endpoint, keys: { p256dh: ownKey.toString("base64url"), auth: auth.toString("base64url") } },
    /** Returns the parsed payload. Throws if it was encrypted for another browser. */
    decrypt(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const keyBytes = body[20] as number;
      const serverKey = body.subarray(21, 21 + keyBytes);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), ownKey, serverKey]);
      const secret = derive(ecdh.computeSecret(serverKey), auth, info, 32);
      const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
      const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
      const sealed = body.subarray(21 + keyBytes);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
      const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      // The last record ends with the delimiter 2.
      return JSON.parse(record.subarray(0, record.lastIndexOf(2)).toString());
    },
  };
}
