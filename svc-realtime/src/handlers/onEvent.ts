import { ApiError } from "@messageoh/contracts/client";
import { BUSY, GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { safeParse } from "@messageoh/contracts/parse";
import { type ClientEventName, clientEvents, type FailedAck } from "@messageoh/contracts/realtime";
import { Busy } from "@messageoh/service-kit/busy";
import { Counter } from "@messageoh/service-kit/metrics";
import { withRequestId } from "@messageoh/service-kit/requestContext";
import { inSpan, SpanKind } from "@messageoh/service-kit/spans";
import type { SparseLog } from "@messageoh/service-kit/sparseLog";
import type { EventLimits } from "../limits/eventLimits.ts";
import type { EventThrottle } from "../limits/eventThrottle.ts";
import { RecordedRefusal, Refusal } from "../refusal.ts";
import type { Payload, RealtimeSocket } from "../types.ts";
import type { Access, Grant } from "./access.ts";

class InvalidInput extends Refusal {}

const refusedEvents = new Counter({
  name: "messageoh_realtime_refused_events_total",
  help: "Refused client events, by event and reason",
  labelNames: ["event", "reason"],
});

interface EventContext<Name extends ClientEventName> {
  requestId: string;
  /** The result of the authorisation rule. */
  granted: Grant<Name>;
}

export interface OnEventDeps {
  access: Access;
  limits: EventLimits;
  throttle: EventThrottle;
  logRefusal: SparseLog;
}

/**
 * Registers a handler for one event of one socket. It applies the rate limit, parses the payload, checks the
 * authorisation rule, runs the handler and acknowledges with the result. Any failure ends in an error ack and a log
 * line.
 * @param handle returns the ack's payload
 * @param ready returns a promise to wait for before parsing, if any. An unparsed event takes little memory while
 * thousands of new connections wait for their friendships
 */
export function onEvent<Name extends ClientEventName>(
  socket: RealtimeSocket,
  name: Name,
  { access, limits, throttle, logRefusal }: OnEventDeps,
  handle: (payload: Payload<Name>, context: EventContext<Name>) => Promise<object> | object,
  ready?: () => Promise<unknown> | undefined,
): void {
  let count = 0;
  const listener = async (...args: unknown[]) => {
    count += 1;
    const requestId = `${socket.data.requestId}-${name}-${count}`;
    const acknowledge = args.findLast((arg) => typeof arg === "function") as ((ack: object) => void) | undefined;
    let ack: object;
    try {
      const refusal = limits.takeEvent(name, socket.data.user.id);
      if (refusal) throw refusal;
      const waits = ready?.();
      if (waits) await waits;
      const { error, data } = safeParse(clientEvents[name], args[0]);
      if (error) throw new InvalidInput(error.text);
      const payload = data as Payload<Name>;
      const run = async () => {
        const grant = access[name](payload, socket);
        // A synchronous rule must not add an asynchronous step: the messages of a socket would change their order.
        const granted = grant instanceof Promise ? await grant : grant;
        return handle(payload, { requestId, granted });
      };
      const span = { kind: SpanKind.SERVER, attributes: { "messageoh.request_id": requestId } };
      ack = await inSpan(name, span, () => withRequestId(requestId, run));
    } catch (error) {
      if (error instanceof InvalidInput) throttle.chargeInvalid(socket);
      else if (error instanceof Refusal) throttle.chargeRefused(socket);
      const failure = failureOf(error);
      ack = failure;
      const kind = reasonOf(error);
      refusedEvents.inc({ event: name, reason: kind });
      const err = error instanceof Refusal ? undefined : error;
      const user_id = socket.data.user.id;
      const fields = { request_id: requestId, user_id, event: name, reason: failure.error, err };
      logRefusal(`${user_id} ${name} ${kind}`, fields, "event refused");
    }
    acknowledge?.(ack);
  };
  // The event map types the payload, but a client can send anything.
  socket.on(name, listener as never);
}

function failureOf(error: unknown): FailedAck {
  if (error instanceof RecordedRefusal) return { error: error.message, is_retryable: false, is_recorded: true };
  if (error instanceof Refusal) return { error: error.message, is_retryable: error.isRetryable };
  if (error instanceof Busy) return { error: BUSY, is_retryable: true };
  if (error instanceof ApiError) {
    const isRetryable = error.status === 0 || error.status >= 500 || error.status === 429;
    return { error: error.serverMessage ?? BUSY, is_retryable: isRetryable };
  }
  return { error: GENERIC_ERROR, is_retryable: false };
}

/** Returns the metric label for an error: one of a fixed set, so that the number of time series stays bounded. */
function reasonOf(error: unknown): "invalid" | "not_allowed" | "busy" | "failed" {
  if (error instanceof InvalidInput) return "invalid";
  if (error instanceof Refusal) return error.isRetryable ? "busy" : "not_allowed";
  if (error instanceof Busy) return "busy";
  return error instanceof ApiError && error.status >= 400 && error.status < 500 ? "not_allowed" : "failed";
}
