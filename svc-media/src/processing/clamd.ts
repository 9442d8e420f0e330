import { once } from "node:events";
import { connect } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest time without any byte from or to clamd, in milliseconds. */
const SILENCE_MAX_MS = 60_000;

/** Checks the bytes of a file. Resolves with the reason to refuse it, if any. Rejects if clamd does not respond. */
export type Scan = (file: Readable) => Promise<string | undefined>;

/** Returns a function that lets clamd check a file, with its command INSTREAM; see clamd(8). */
export function createScan(url: string): Scan {
  const { hostname, port } = new URL(url);

  return async (file) => {
    const socket = connect({ host: hostname, port: Number(port || 3310) });
    socket.setTimeout(SILENCE_MAX_MS, () => socket.destroy(new Error("clamd does not respond")));
    let reply = "";
    socket.setEncoding("utf8").on("data", (text) => {
      reply += text;
    });
    async function* request(): AsyncGenerator<Buffer> {
      yield Buffer.from("zINSTREAM\0");
      for await (const chunk of file as AsyncIterable<Buffer>) {
        // clamd responds before the end of a file that is too large for it, and closes the connection. Its response
        // must be read before a write fails. If it is not, which is rare, the file is examined again later.
        await nextTurn();
        if (reply !== "") return;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(chunk.length);
        yield length;
        yield chunk;
      }
      yield Buffer.alloc(4);
    }
    const sent = pipeline(request, socket, { end: false });
    try {
      await Promise.all([sent, once(socket, "end")]);
    } catch (error) {
      if (reply === "") throw error;
    } finally {
      socket.destroy();
      file.destroy();
    }
    const result = reply.replace(/\0.*$/s, "");
    if (result.endsWith(" OK")) return undefined;
    if (result.endsWith(" FOUND")) return "This file contains malware";
    if (/size limit exceeded/i.test(result)) return "This file is too large to be checked for malware";
    throw new Error(`clamd responded: ${result.slice(0, 200)}`);
  };
}
