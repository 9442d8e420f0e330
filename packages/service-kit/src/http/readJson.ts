import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { badRequest, HttpError } from "./errors.ts";

/**
 * Returns the JSON body of a request, or `undefined` if it has none. Throws an {@link HttpError}: 415 for another
 * content type, even without a body, because a form of another site cannot send JSON; 413 for a body that is too large;
 * 400 for one that cannot be read or parsed.
 * @param maxBytes largest body, in bytes
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const { "content-type": type, "content-length": length, "transfer-encoding": encoding } = request.headers;
  const hasBody = encoding !== undefined || Number(length) > 0;
  if (!hasBody && (type === undefined || request.method === "GET")) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(type ?? "")) throw new HttpError(415, "Please send JSON");
  if (!hasBody) return undefined;
  const text = await getRawBody(request, { limit: maxBytes, encoding: "utf8" }).catch((cause) => {
    if (cause?.status !== 413) throw new HttpError(400, "The request could not be read", { cause });
    throw new HttpError(413, `The request is larger than ${Math.floor(maxBytes / 1_000)} kB`, { cause });
  });
  return parseJson(text);
}

/** Returns the parsed JSON text. Throws an {@link HttpError} with status 400 if it is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The request is not valid JSON");
  }
}
