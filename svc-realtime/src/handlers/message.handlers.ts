import { randomUUID } from "node:crypto";
import type { Logger } from "@messageoh/service-kit/logger";
import { currentTraceparent } from "@messageoh/service-kit/spans";
import { pairRoom } from "../rooms.ts";
import type { Forwarder } from "../sending/forwarder.ts";
import type { MarkerSender } from "../sending/markerSender.ts";
import type { RealtimeSocket } from "../types.ts";
import { type OnEventDeps, onEvent } from "./onEvent.ts";
import { Refusal } from "./refusal.ts";

export interface MessageHandlerDeps extends OnEventDeps {
  forwarder: Forwarder;
  markers: MarkerSender;
  logger: Logger;
}

export function registerMessageHandlers(socket: RealtimeSocket, deps: MessageHandlerDeps): void {
  const { forwarder, markers, limits, logger } = deps;
  const { user } = socket.data;

  // Nothing is awaited before a message is handed over: messages of one socket keep their order.
  onEvent(socket, "send_message", deps, async (payload, { requestId }) => {
    limits.takeText(user.id, payload.text);
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
      traceparent: currentTraceparent(),
    });
    if ("error" in result) throw new Refusal(result.error);
    logger.debug({ request_id: requestId, user_id: user.id }, "sent");
    return result;
  });

  onEvent(socket, "message_delivered", deps, async ({ thread_id, seq }, { requestId }) => {
    const result = await markers.send({ kind: "delivered", thread_id, user_id: user.id, seq }, requestId);
    if ("error" in result) throw new Refusal(result.error);
    return {};
  });

  onEvent(socket, "typing", deps, ({ thread_id, is_typing }) => {
    socket.to(pairRoom(thread_id)).emit("typing", { thread_id, user_id: user.id, is_typing });
    return {};
  });
}
