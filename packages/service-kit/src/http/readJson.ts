import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { badRequest, HttpError } from "../errors.ts";

/**
 * Reads a request's JSON body; a request without one gives `undefined`. Whatever names another type is refused, empty or
 * not: a form of another site cannot name this one.
 * @param maxBytes a longer body is refused with 413
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const { "content-type": type, "content-length": length, "transfer-encoding": encoding } = request.headers;
  const hasBody = encoding !== undefined || Number(length) > 0;
  if (!hasBody && (type === undefined || request.method === "GET")) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(type ?? "")) throw new HttpError(415, "Please send JSON");
  if (!hasBody) return undefined;
  const text = await getRawBody(request, { limit: maxBytes, encoding: "utf8" }).catch((cause) => {
    const status = cause?.status === 413 ? 413 : 400;
    throw new HttpError(status, status === 413 ? "The request is too large" : "The request could not be read", {
      cause,
    });
  });
  return parseJson(text);
}

/** What a caller sent as JSON; what is none is refused with 400. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The request is not valid JSON");
  }
}
