import { ApiError, type Call } from "@messageoh/contracts/client";

/**
 * One call function over several instances of a service. It stays with one while that answers and goes on to the next
 * when it does not; the failed call itself fails, and whoever may repeat it does.
 * @param calls one call function per instance
 */
export function failOver(calls: readonly Call[]): Call {
  let current = Math.floor(Math.random() * calls.length);
  return async (endpoint, input) => {
    const tried = current;
    try {
      return await (calls[tried % calls.length] as Call)(endpoint, input);
    } catch (error) {
      const isAway = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
      if (isAway && current === tried) current += 1;
      throw error;
    }
  };
}
