import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Tls } from "./gateway.ts";

/** Creates a self-signed certificate in `dir` for localhost and more names, and returns its files. */
export async function makeCertificate(dir: string, ...more: string[]): Promise<Tls> {
  const tls = { certificate: join(dir, "certificate.pem"), key: join(dir, "key.pem") };
  const names = `subjectAltName=${["DNS:localhost", "IP:127.0.0.1", ...more].join(",")}`;
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  await promisify(execFile)("openssl", [...made, "-addext", names, "-keyout", tls.key, "-out", tls.certificate]);
  return tls;
}
