import type { MessageItem } from "@messageoh/contracts/bus";
import { CLOCK_TOLERANCE_MS } from "@messageoh/contracts/limits";
import { isTracing, type Step, startStep, startTrace } from "@messageoh/service-kit/tracing";
import { LRUCache } from "lru-cache";
import type { Payload } from "./onEvent.ts";

/** Browsers that may be on their way to say that they have a message. */
const ARRIVALS_MAX = 10_000;
const ARRIVAL_WITHIN_MS = 60_000;

export type Traces = ReturnType<typeof createTraces>;

/** The steps of a message's trace that are this service's, and the two browsers', which record nothing themselves. */
export function createTraces() {
  const arrivals = new LRUCache<string, Step>({ max: ARRIVALS_MAX, ttl: ARRIVAL_WITHIN_MS });

  return {
    /** From the event to its ack; and, where the browser named its own step, from the writing to the ack around it. */
    send<T>(payload: Payload<"send_message">, requestId: string, work: (step?: string) => Promise<T>): Promise<T> {
      if (!isTracing()) return work();
      const startedAt = writtenAt(payload.timestamp);
      const options = { kind: "server", attributes: { "messageoh.request_id": requestId } } as const;
      if (payload.traceparent === undefined) return during(startTrace("forward message", undefined, options), work);
      const browser = startTrace("send message", payload.traceparent, { kind: "client", isBrowsers: true, startedAt });
      return during(browser, (own) => during(startStep("forward message", own, options), work));
    },

    /** Emits a message of a trace: what is emitted names the browser's step, which ends when the browser says so. */
    deliver(item: MessageItem, emit: (json: string) => void): void {
      const attributes = { "messageoh.request_id": item.request_id, "messageoh.message_id": item.id };
      const step = startStep("deliver message", item.traceparent, { kind: "consumer", attributes });
      const arrival = startStep("receive message", step?.traceparent, { kind: "consumer", isBrowsers: true });
      if (arrival) arrivals.set(arrival.traceparent, arrival);
      emit(arrival ? `${item.json.slice(0, -1)},"traceparent":"${arrival.traceparent}"}` : item.json);
      step?.end();
    },

    /** The first of a user's tabs that has it ends the trace. */
    arrived(traceparent: string): void {
      arrivals.get(traceparent)?.end();
      arrivals.delete(traceparent);
    },
  };
}

async function during<T>(step: Step | undefined, work: (step?: string) => Promise<T>): Promise<T> {
  try {
    const result = await work(step?.traceparent);
    step?.end();
    return result;
  } catch (error) {
    step?.end(error);
    throw error;
  }
}

/** By the browser's clock, as far as that can be right. */
function writtenAt(timestamp: string | undefined): number | undefined {
  const written = Date.parse(timestamp ?? "");
  const age = Date.now() - written;
  return age >= 0 && age <= CLOCK_TOLERANCE_MS ? written : undefined;
}
