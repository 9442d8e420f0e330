import { ApiError } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";

/** What a person is told of a call that failed: the server's own text where there is one. */
export function errorText(error: unknown): string {
  return (error instanceof ApiError && error.serverMessage) || GENERIC_ERROR;
}
