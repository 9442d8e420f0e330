import { ApiError } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";

/** What the screen says when something could not be loaded: who asked too often reads for how long to wait. */
export function loadFailureText(error: unknown): string {
  const isLimited = error instanceof ApiError && error.status === 429;
  return (isLimited && error.serverMessage) || GENERIC_ERROR;
}
