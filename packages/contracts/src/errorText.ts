import { ApiError } from "./client.ts";
import { GENERIC_ERROR } from "./errorTexts.ts";

/**
 * Returns the text that a screen shows for a failed call: the server's own text, or `fallback` if there is none.
 * @param fallback text for a call without a readable response
 */
export function errorText(error: unknown, fallback = GENERIC_ERROR): string {
  return (error instanceof ApiError && error.serverMessage) || fallback;
}

/** Returns the text for data that could not be loaded: the server's text if it refused with 429, else the generic one. */
export function loadErrorText(error: unknown): string {
  return error instanceof ApiError && error.status === 429 ? errorText(error) : GENERIC_ERROR;
}
