import { GENERIC_ERROR } from "../rules/errorTexts.ts";

/**
 * A failed call. `status` is the HTTP status, or 0 if there is no readable response (network failure, timeout, invalid
 * body). `serverMessage` is the server's own `{error}` text, if any.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly serverMessage: string | undefined;

  constructor(status: number, serverMessage?: string, options?: ErrorOptions) {
    super(serverMessage ?? GENERIC_ERROR, options);
    this.name = "ApiError";
    this.status = status;
    this.serverMessage = serverMessage;
  }
}
