import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs `work` on behalf of a request: calls that it makes to other services carry the request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => current.run(requestId, work);

/** The header that carries the id of the request on whose behalf this runs, if any. */
export function requestIdHeader(): Record<string, string> {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { "x-request-id": requestId };
}
