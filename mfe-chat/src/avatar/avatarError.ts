import { ApiError } from "@messageoh/contracts/client";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";

/** What the picker's error line says when an avatar could not be saved: the server's own text where there is one. */
export function avatarError(error: unknown): string {
  return (error instanceof ApiError && error.serverMessage) || GENERIC_ERROR;
}
