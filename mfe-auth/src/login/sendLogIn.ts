import { logIn, type User } from "@messageoh/contracts/users";
import { call } from "../api.ts";
import type { LoginValues } from "../form/validation.ts";

/**
 * Logs in; the response sets the session cookie. A chunk of its own, because its schemas are a third of the page's
 * code.
 */
export function sendLogIn(body: LoginValues, signal: AbortSignal): Promise<User> {
  return call(logIn, { body, signal });
}
