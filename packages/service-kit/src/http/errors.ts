import { STATUS_CODES } from "node:http";
import { BUSY, GENERIC_ERROR, NOT_YOURS } from "@messageoh/contracts/errorTexts";

/** An error with an HTTP status and a text that the caller may see. */
export class HttpError extends Error {
  readonly status: number;
  /** Value of the Retry-After header, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** Further fields of the body. */
  readonly details: object | undefined;

  constructor(
    status: number,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number; details?: object },
  ) {
    super(message, options);
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.details = options?.details;
    this.name = STATUS_CODES[status] ?? "HttpError";
    this.status = status;
  }
}

const TOOK_TOO_LONG = "This took too long, please try again";

/** MongoDB's error code `MaxTimeMSExpired`. */
const MAX_TIME_EXPIRED = 50;
/** MongoDB's error codes of a server that is not reachable, not the primary, or about to stop. */
const NOT_SERVING = [6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];
/**
 * Names of the errors of MongoDB's driver without a usable connection. Names instead of classes, because services
 * without a database do not load the driver.
 */
const NO_CONNECTION =
  /^(Mongo(ose)?ServerSelection|MongoNetwork|PoolCleared|Mongo(Pool|WaitQueueTimeout|NotConnected|TopologyClosed|OperationTimeout))/;

/**
 * Returns the error that a caller may see: the error itself if it is an {@link HttpError}, 503 for a database that is
 * not reachable and for a query that exceeded its time limit, and a 500 without details for everything else.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { code, name = "" } = (error ?? {}) as { code?: unknown; name?: string };
  if (code === MAX_TIME_EXPIRED) return unavailable(TOOK_TOO_LONG, error);
  if (NO_CONNECTION.test(name) || NOT_SERVING.includes(code as number)) return unavailable(BUSY, error);
  return new HttpError(500, GENERIC_ERROR, { cause: error });
}

/** Returns an error with status 400. */
export const badRequest = (message: string) => new HttpError(400, message);
/** Returns an error with status 401. */
export const unauthorised = () => new HttpError(401, "Please log in");
/** Returns an error with status 403. */
export const forbidden = (message = NOT_YOURS) => new HttpError(403, message);
/** Returns an error with status 404. */
export const notFound = (message = "Not found") => new HttpError(404, message);
/** Returns an error with status 409, with further fields of the body. */
export const conflict = (message: string, details?: object) => new HttpError(409, message, { details });
/** Returns an error with status 499: nobody waits for the response. Only the log and the metrics show it. */
export const clientGone = () => new HttpError(499, "The client closed the request");
/** Returns an error with status 503: a dependency failed, so the service cannot respond. */
export const unavailable = (message: string, cause?: unknown) => new HttpError(503, message, { cause });

/** Throws an error with status 503. Pass it to `catch` of a call to another service. */
export function callFailed(cause: unknown): never {
  throw unavailable(GENERIC_ERROR, cause);
}

/** Returns an error with status 429 and a Retry-After header. */
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new HttpError(429, message, { retryAfterSeconds });
