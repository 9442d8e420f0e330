import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs `work` for a request and returns its result. The calls to other services within it carry the request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => current.run(requestId, work);

/** Returns the header with the id of the current request, or no header outside a request. */
export function requestIdHeader(): Record<string, string> {
  const requestId = current.getStore();
  return requestId === undefined ? {} : { "x-request-id": requestId };
}
