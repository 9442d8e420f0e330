import { randomUUID } from "node:crypto";
import type { Call } from "@messageoh/contracts/client";
import { moveMarker } from "@messageoh/contracts/messages";
import type { Forwarder } from "./forwarder.ts";
import { type OnEventDeps, onEvent, type Payload, Refusal } from "./onEvent.ts";
import { pairRoom } from "./rooms.ts";
import type { SendPace } from "./sendPace.ts";
import { serialised } from "./serialised.ts";
import type { Traces } from "./traces.ts";
import type { RealtimeSocket } from "./types.ts";

export interface MessageHandlerDeps extends OnEventDeps {
  pace: SendPace;
  forwarder: Forwarder;
  callMessages: Call;
  traces: Traces;
}

export function registerMessageHandlers(socket: RealtimeSocket, deps: MessageHandlerDeps): void {
  const { pace, forwarder, callMessages, traces, logger } = deps;
  const { user } = socket.data;

  // Nothing else is awaited before the message is in the queue: messages of one socket keep their order.
  onEvent(socket, "send_message", deps, (payload, { requestId }) =>
    traces.send(payload, requestId, (traceparent) => send(payload, requestId, traceparent)),
  );

  async function send(payload: Payload<"send_message">, requestId: string, traceparent: string | undefined) {
    const turn = pace.turn(user.id, (for_ms) => socket.emit("sends_waiting", { for_ms }));
    if (turn) await turn;
    const result = await forwarder.send({
      // A client that knows only the specification sends no id and never repeats itself.
      client_id: payload.client_id ?? randomUUID(),
      thread_id: payload.thread_id,
      sending_user_id: user.id,
      recipient_user_id: payload.recipient_user_id,
      text: payload.text,
      timestamp: payload.timestamp,
      request_id: requestId,
      origin: socket.id,
      traceparent,
    });
    if (typeof result !== "string") throw new Refusal(result.error);
    logger.debug({ request_id: requestId, user_id: user.id }, "sent");
    return serialised<object>(`{"message":${result}}`);
  }

  onEvent(socket, "message_delivered", deps, async ({ thread_id, seq }, { requestId }) => {
    const body = { kind: "delivered" as const, thread_id, user_id: user.id, seq, request_id: requestId };
    await callMessages(moveMarker, { body });
    return {};
  });

  onEvent(socket, "trace_end", deps, ({ traceparent }) => {
    traces.arrived(traceparent);
    return {};
  });

  onEvent(socket, "typing", deps, ({ thread_id, is_typing }) => {
    socket.to(pairRoom(thread_id)).emit("typing", { thread_id, user_id: user.id, is_typing });
    return {};
  });
}
