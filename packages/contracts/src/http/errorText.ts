import { GENERIC_ERROR } from "../rules/errorTexts.ts";
import { ApiError } from "./ApiError.ts";

/**
 * Returns the text that a screen shows for a failed call: the server's own text, or `fallback` if there is none.
 * @param fallback text for a call without a readable response
 */
export function errorText(error: unknown, fallback = GENERIC_ERROR): string {
  return (error instanceof ApiError && error.serverMessage) || fallback;
}
