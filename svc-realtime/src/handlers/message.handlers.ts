import { randomUUID } from "node:crypto";
import { Busy } from "@messageoh/service-kit/busy";
import type { Logger } from "@messageoh/service-kit/logger";
import { currentTraceparent } from "@messageoh/service-kit/spans";
import { RecordedRefusal, Refusal } from "../refusal.ts";
import { userRoom } from "../rooms.ts";
import type { Forwarder } from "../sending/forwarder.ts";
import type { MessagesService } from "../sending/messagesService.ts";
import type { RealtimeServer, RealtimeSocket } from "../types.ts";
import { type OnEventDeps, onEvent } from "./onEvent.ts";

export interface MessageHandlerDeps extends OnEventDeps {
  forwarder: Forwarder;
  moveMarker: MessagesService["moveMarker"];
  io: RealtimeServer;
  /** Name of this instance. */
  instance: string;
  logger: Logger;
}

/** Registers the handlers for messages, delivery receipts and typing on a socket. */
export function registerMessageHandlers(socket: RealtimeSocket, deps: MessageHandlerDeps): void {
  const { io, instance, forwarder, moveMarker, limits, logger } = deps;
  const { user } = socket.data;

  // No asynchronous step precedes the forwarder, so the messages of a socket keep their order.
  onEvent(socket, "send_message", deps, async (payload, { requestId }) => {
    limits.takeText(user.id, payload);
    const result = await forwarder.send({
      // A client without client_id does not retry, so a new id cannot create a duplicate.
      client_id: payload.client_id ?? randomUUID(),
      thread_id: payload.thread_id,
      sending_user_id: user.id,
      recipient_user_id: payload.recipient_user_id,
      text: payload.text,
      reply_to: payload.reply_to,
      attachments: payload.attachments,
      preview: payload.preview,
      forward_of: payload.forward_of,
      timestamp: payload.timestamp,
      request_id: requestId,
      origin: socket.id,
      instance,
      traceparent: currentTraceparent(),
    });
    if ("error" in result) throw new RecordedRefusal(result.error);
    logger.debug({ request_id: requestId, user_id: user.id }, "message stored");
    return { message: result.message };
  });

  onEvent(socket, "message_delivered", deps, async ({ thread_id, seq }, { requestId }) => {
    const result = await moveMarker({ kind: "delivered", thread_id, user_id: user.id, seq, request_id: requestId });
    if ("retry" in result) throw new Busy("Receipt not stored");
    if ("error" in result) throw new Refusal(result.error);
    return {};
  });

  onEvent(socket, "typing", deps, ({ thread_id, is_typing }) => {
    const friendId = socket.data.friends.get(thread_id);
    if (friendId) io.to(userRoom(friendId)).emit("typing", { thread_id, user_id: user.id, is_typing });
    return {};
  });
}
