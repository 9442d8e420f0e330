import { STATUS_CODES } from "node:http";

/** An error whose text may be shown to the caller, with the HTTP status that fits it. */
export class HttpError extends Error {
  readonly status: number;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super(message, options);
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.name = STATUS_CODES[status] ?? "HttpError";
    this.status = status;
  }
}

const UNKNOWN_ERROR = "Something went wrong with your request";
const TOOK_TOO_LONG = "This took too long, please try again";

/** The code of MongoDB for a query that exceeded `maxTimeMS`. */
const QUERY_TOO_LONG = 50;

/** What a caller may be told of an error: of one that was not meant for them, nothing. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if ((error as { code?: unknown } | null)?.code === QUERY_TOO_LONG) return unavailable(TOOK_TOO_LONG, error);
  return new HttpError(500, UNKNOWN_ERROR, { cause: error });
}

export const badRequest = (message: string) => new HttpError(400, message);
export const unauthorised = () => new HttpError(401, "Please log in");
export const forbidden = (message = "This is not yours") => new HttpError(403, message);
export const notFound = (message = "Not found") => new HttpError(404, message);
export const conflict = (message: string) => new HttpError(409, message);
export const unavailable = (message: string, cause?: unknown) => new HttpError(503, message, { cause });
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new HttpError(429, message, { retryAfterSeconds });
