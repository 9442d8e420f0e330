import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { badRequest, HttpError } from "./errors.ts";

/**
 * Reads a request's JSON body; a request without one gives `undefined`.
 * @param maxBytes a longer body is refused with 413
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const hasBody = request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"]) > 0;
  if (!hasBody) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new HttpError(415, "Please send JSON");
  }
  const text = await getRawBody(request, { limit: maxBytes, encoding: "utf8" }).catch((cause) => {
    const status = cause?.status === 413 ? 413 : 400;
    throw new HttpError(status, status === 413 ? "The request is too large" : "The request could not be read", {
      cause,
    });
  });
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("The request is not valid JSON");
  }
}
