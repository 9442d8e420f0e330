import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { HttpError, toHttpError } from "@messageoh/service-kit/errors";
import { storageFailed } from "../storage/storage.ts";

/** Texts for the responses of the tus library, whose own texts are for developers. */
const TEXTS: Record<number, string> = {
  400: "The upload request is invalid",
  403: "The upload request is invalid",
  404: "There is no such upload",
  409: "The upload has another position",
  410: "There is no such upload",
  412: "The version of the upload protocol is not supported",
  413: "The part is larger than the rest of the file",
  501: "The upload request is not supported",
};

/** The library rejects with objects of this form. */
interface TusError {
  status_code?: number;
}

/** Returns the error for a status that the tus library chose. */
export const tusError = (status: number) =>
  new HttpError(status === 410 ? 404 : status, TEXTS[status] ?? GENERIC_ERROR);

/** Returns the error of an upload request that failed: in the protocol, in one of our own checks, or in the storage. */
export function uploadError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const status = (error as TusError | undefined)?.status_code;
  if (status !== undefined && status < 500) return tusError(status);
  const known = toHttpError(error);
  return known.status === 500 ? storageFailed(error) : known;
}
