import { sendAck } from "@messageoh/contracts/realtime";
import * as z from "zod/mini";
import { createOutbox, type Outbox } from "../outbox/outbox.ts";
import type { OutboxStorage } from "../outbox/outboxStorage.ts";
import type { TabLock } from "../outbox/tabLock.ts";
import type { Store } from "../state/store.ts";
import type { ChatSocket } from "./socket/socket.ts";

const ACK_MS = 10_000;

export interface SendingOptions {
  store: Store;
  storage: OutboxStorage;
  lock: TabLock;
  socket: ChatSocket;
  /** Called when the server defers sends, with its reason, or does not respond; and when it accepts them again. */
  onLate: (isLate: boolean, reason?: string) => void;
}

/** Returns the outbox, connected to the socket and the store. */
export function createSending({ store, storage, lock, socket, onLate }: SendingOptions): Outbox {
  const sending_user_id = store.get().me.id;
  return createOutbox({
    storage,
    lock,
    canSend: socket.isConnected,
    async send({ client_id, thread_id, recipient_user_id, text, reply_to, timestamp }) {
      const message = {
        client_id,
        thread_id,
        sending_user_id,
        recipient_user_id,
        text,
        reply_to,
        timestamp,
        read: false,
      };
      return z.parse(sendAck, await socket.request("send_message", message, ACK_MS));
    },
    onChange(queue) {
      store.dispatch({ type: "outboxChanged", outbox: queue });
      if (!queue.some((entry) => entry.state === "sending")) onLate(false);
    },
    onStored: (message) => store.dispatch({ type: "messagesReceived", messages: [message] }),
    onAttempt: onLate,
  });
}
