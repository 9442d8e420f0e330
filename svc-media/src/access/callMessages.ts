import { ApiError, type Call } from "@messageoh/contracts/client";

export interface CallMessagesOptions {
  /** Returns the base URLs of the svc-messages instances that run now. */
  discover: () => Promise<string[]>;
  clientOf: (baseUrl: string) => Call;
}

/**
 * Returns a client that calls any instance of svc-messages: the one that responded last, and the others if it does not
 * respond. Rejects like each of them if none responds.
 */
export function createCallMessages({ discover, clientOf }: CallMessagesOptions): Call {
  let last: string | undefined;

  return async (endpoint, input) => {
    const known = last;
    const found = known === undefined ? await discover() : [known];
    let failure = new ApiError(0, undefined, { cause: "no instance of svc-messages was found" });
    for (let index = 0; index < found.length; index += 1) {
      const url = found[index] as string;
      try {
        const response = await clientOf(url)(endpoint, input);
        last = url;
        return response;
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status !== 0 && error.status < 500)) throw error;
        failure = error;
        if (url === last) last = undefined;
        // Another call that failed at the same time may have found the next one already.
        if (url === known) found.push(...(await discover()).filter((other) => other !== url));
      }
    }
    throw failure;
  };
}
