import { textWithoutCaption } from "@messageoh/contracts/attachments";
import { parse } from "@messageoh/contracts/parse";
import { sendAck } from "@messageoh/contracts/realtime";
import { createOutbox, type Outbox, type OutboxOptions } from "../outbox/outbox.ts";
import { readyAttachments } from "../outbox/queuedMessage.ts";
import type { Store } from "../state/store.ts";
import type { ChatSocket } from "./socket/socket.ts";

export interface SendingOptions
  extends Pick<OutboxOptions, "storage" | "lock" | "files" | "prepareFile" | "uploadFile"> {
  store: Store;
  socket: ChatSocket;
  /** Called when the server defers sends, with its reason, or does not respond; and when it accepts them again. */
  onLate: (isLate: boolean, reason?: string) => void;
}

/** Returns the outbox, connected to the socket and the store. */
export function createSending({ store, socket, onLate, ...options }: SendingOptions): Outbox {
  const sending_user_id = store.get().me.id;
  return createOutbox({
    ...options,
    canSend: socket.isConnected,
    onProgress: (clientId, share) => store.dispatch({ type: "uploadProgressed", clientId, share }),
    async send(entry) {
      const { client_id, thread_id, recipient_user_id, reply_to, forward_of, preview, timestamp } = entry;
      const attachments = readyAttachments(entry);
      const message = {
        client_id,
        thread_id,
        sending_user_id,
        recipient_user_id,
        text: entry.text || textWithoutCaption(entry.attachments ?? attachments),
        reply_to,
        forward_of,
        attachments: attachments.length > 0 ? attachments.map(({ id }) => id) : undefined,
        preview: preview?.id,
        timestamp,
        read: false,
      };
      return parse(sendAck, await socket.request("send_message", message));
    },
    onChange(queue) {
      store.dispatch({ type: "outboxChanged", outbox: queue });
      if (!queue.some((entry) => entry.state === "sending")) onLate(false);
    },
    onStored: (message) => store.dispatch({ type: "messagesReceived", messages: [message] }),
    onAttempt: onLate,
  });
}
