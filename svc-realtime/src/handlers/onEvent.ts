import { ApiError } from "@messageoh/contracts/client";
import { BUSY, GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { type ClientEventName, clientEvents, type FailedAck } from "@messageoh/contracts/realtime";
import { BatcherBusy } from "@messageoh/service-kit/batcher";
import { Counter } from "@messageoh/service-kit/metrics";
import { withRequestId } from "@messageoh/service-kit/requestContext";
import { inSpan, SpanKind } from "@messageoh/service-kit/spans";
import type { SparseLog } from "@messageoh/service-kit/sparseLog";
import type { EventLimits } from "../limits/eventLimits.ts";
import type { Payload, RealtimeSocket } from "../types.ts";
import type { Access, Grant } from "./access.ts";
import { Refusal } from "./refusal.ts";

class InvalidInput extends Refusal {}

const refused = new Counter({
  name: "messageoh_realtime_refused_events_total",
  help: "Events of clients that were refused",
  labelNames: ["event", "reason"],
});

export interface EventContext<Name extends ClientEventName> {
  requestId: string;
  /** What the rule of access found out. */
  granted: Grant<Name>;
}

export interface OnEventDeps {
  access: Access;
  limits: EventLimits;
  logRefusal: SparseLog;
}

/**
 * Listens to one event of one socket: counts it, parses the payload, asks whether the user may, runs the handler, answers
 * the ack if the client asked for one. Whatever a client sends and whatever fails ends here, in an error ack and the log.
 */
export function onEvent<Name extends ClientEventName>(
  socket: RealtimeSocket,
  name: Name,
  { access, limits, logRefusal }: OnEventDeps,
  handle: (payload: Payload<Name>, context: EventContext<Name>) => Promise<object> | object,
): void {
  let count = 0;
  const listener = async (...received: unknown[]) => {
    count += 1;
    const requestId = `${socket.data.requestId}-${name}-${count}`;
    const ack = received.findLast((part) => typeof part === "function") as ((answer: object) => void) | undefined;
    let answer: object;
    try {
      limits.takeEvent(name, socket.data.user.id);
      const parsed = clientEvents[name].safeParse(received[0]);
      if (!parsed.success) {
        limits.chargeInvalid(socket);
        throw new InvalidInput(parsed.error.issues[0]?.message ?? "Invalid input");
      }
      const payload = parsed.data as Payload<Name>;
      const run = async () => {
        const verdict = access[name](payload, socket);
        // Not awaited where it is known at once: messages of one socket reach the queue in their order.
        const granted = verdict instanceof Promise ? await verdict : verdict;
        return handle(payload, { requestId, granted });
      };
      const span = { kind: SpanKind.SERVER, attributes: { "messageoh.request_id": requestId } };
      answer = await inSpan(name, span, () => withRequestId(requestId, run));
    } catch (error) {
      answer = failureOf(error);
      const kind = reasonOf(error);
      refused.inc({ event: name, reason: kind });
      const reason = (answer as FailedAck).error;
      const err = error instanceof Refusal ? undefined : error;
      const user_id = socket.data.user.id;
      logRefusal(`${user_id} ${name} ${kind}`, { request_id: requestId, user_id, event: name, reason, err }, "refused");
    }
    ack?.(answer);
  };
  // The typed map promises a payload; a hostile client sends anything.
  socket.on(name, listener as never);
}

function failureOf(error: unknown): FailedAck {
  if (error instanceof Refusal) return { error: error.message, is_retryable: error.isRetryable };
  if (error instanceof BatcherBusy) return { error: BUSY, is_retryable: true };
  if (error instanceof ApiError) {
    const isRetryable = error.status === 0 || error.status >= 500 || error.status === 429;
    return { error: error.serverMessage ?? BUSY, is_retryable: isRetryable };
  }
  return { error: GENERIC_ERROR, is_retryable: false };
}

/** Few and fixed, as a label has to be. */
function reasonOf(error: unknown): "invalid" | "not_allowed" | "busy" | "failed" {
  if (error instanceof InvalidInput) return "invalid";
  if (error instanceof Refusal) return error.isRetryable ? "busy" : "not_allowed";
  if (error instanceof BatcherBusy) return "busy";
  return error instanceof ApiError && error.status >= 400 && error.status < 500 ? "not_allowed" : "failed";
}
