import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findClamd } from "@messageoh/stack/dependencies/programs";
import { exchange, freePort } from "@messageoh/stack/ports";
import { startChildServer } from "./childServer.ts";

/** Time to fetch clamd once, in milliseconds. */
export const FETCH_MAX_MS = 120_000;
/** The test file of the antivirus vendors; see https://www.eicar.org/download-anti-malware-testfile/. */
export const EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*";
/** The only signature that clamd knows here: hash, size and name of that file. */
const SIGNATURES = "44d88612fea8a8f36de82e1278abb02f:68:Eicar\n";

/** Starts clamd with one signature. */
export async function startClamd({ streamMaxBytes }: { streamMaxBytes: number }) {
  const { command, env } = await findClamd();
  const dir = await mkdtemp(join(tmpdir(), "messageoh-clamd-"));
  const port = await freePort();
  const settings = {
    ...{ DatabaseDirectory: dir, TemporaryDirectory: dir, StreamMaxLength: streamMaxBytes },
    ...{ TCPSocket: port, TCPAddr: "127.0.0.1", Foreground: "yes" },
  };
  const config = join(dir, "clamd.conf");
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  await Promise.all([writeFile(config, lines.join("")), writeFile(join(dir, "test.hdb"), SIGNATURES)]);
  const args = [`--config-file=${config}`];
  const isReady = async () => (await exchange(port, "zPING\0")) !== undefined;
  return { url: `tcp://127.0.0.1:${port}`, ...(await startChildServer({ command, args, env, dir, isReady })) };
}
export type Clamd = Awaited<ReturnType<typeof startClamd>>;
