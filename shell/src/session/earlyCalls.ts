import type { Send } from "@messageoh/contracts/request";

declare global {
  /** Calls that preload.ts has made for the stored user, by address. */
  var messageohEarlyCalls: Map<string, Promise<Response>> | undefined;
}

/** An older response is not used, for instance after a Retry. */
const MAX_AGE_MS = 10_000;

/** Like `fetch`, but returns the response to a call that the page has made early, once. */
export const sendEarly: Send = (url, init) => {
  const early = init.method === "GET" ? takeEarlyCall(url) : undefined;
  return early ? Promise.race([early.then(inOwnTask), rejectOnAbort(init.signal)]) : fetch(url, init);
};

// All responses may have arrived. Validating them in one task would block a slow phone for more than 100 ms.
function inOwnTask(response: Response): Promise<Response> {
  return new Promise((resolve) => setTimeout(resolve, 0, response));
}

/** Drops the early calls. Call it when the session of the stored user has ended, because it made them. */
export function dropEarlyCalls(): void {
  globalThis.messageohEarlyCalls?.clear();
}

function takeEarlyCall(url: string): Promise<Response> | undefined {
  const call = globalThis.messageohEarlyCalls?.get(url);
  globalThis.messageohEarlyCalls?.delete(url);
  // The page makes the calls when it begins to load.
  return performance.now() < MAX_AGE_MS ? call : undefined;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
