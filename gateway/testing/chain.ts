import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const openssl = (...args: string[]) => promisify(execFile)("openssl", args);
const NEW_KEY = ["-newkey", "rsa:2048", "-nodes"];
const EXTENSIONS = [
  "basicConstraints=CA:TRUE",
  "basicConstraints=CA:TRUE",
  "subjectAltName=DNS:localhost,IP:127.0.0.1",
];

/**
 * Creates a certificate for localhost with two intermediate certificates in `dir`. Returns it with its chain and its
 * key, and the file of the root certificate.
 */
export async function makeChain(dir: string): Promise<{ cert: string; key: string; root: string }> {
  const file = (level: number, kind: string) => join(dir, `${level}.${kind}`);
  const root = file(0, "pem");
  await openssl("req", "-x509", ...NEW_KEY, "-subj", "/CN=0", "-keyout", file(0, "key"), "-out", root);
  const chain: string[] = [];
  for (const level of [1, 2, 3]) {
    const [key, request, extension, signed] = [
      file(level, "key"),
      file(level, "csr"),
      file(level, "ext"),
      file(level, "pem"),
    ];
    await writeFile(extension, EXTENSIONS[level - 1] ?? "");
    await openssl("req", ...NEW_KEY, "-subj", `/CN=${level}`, "-keyout", key, "-out", request);
    const by = ["-CA", file(level - 1, "pem"), "-CAkey", file(level - 1, "key"), "-CAcreateserial"];
    await openssl("x509", "-req", "-in", request, ...by, "-extfile", extension, "-out", signed);
    chain.unshift(await readFile(signed, "utf8"));
  }
  return { cert: chain.join(""), key: await readFile(file(3, "key"), "utf8"), root };
}
