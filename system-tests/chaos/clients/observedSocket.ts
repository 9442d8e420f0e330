import type { Message } from "@messageoh/contracts/messages";
import { type ClientSocket, SOCKET_OPTIONS } from "mfe-chat/client";
import { io, type Socket } from "socket.io-client";
import { headersOf } from "../../client/account.ts";
import type { Ledger, Sent, Session } from "../checker/ledger.ts";
import { EventObserver } from "./eventObserver.ts";
import { observeAck } from "./observedAck.ts";

export interface ObservedSocketOptions {
  url: string;
  ledger: Ledger;
  session: Session;
  onSeen: (message: Message, sent: Sent | undefined) => void;
  /** Called when the product sends a message through this connection. */
  onSend: () => void;
}

/** Opens the product's connection, with checks between the network and the product. */
export function openObservedSocket({ url, ledger, session, onSeen, onSend }: ObservedSocketOptions) {
  const { checks } = ledger;
  const { userId } = session;
  const socket: Socket = io(url, { ...SOCKET_OPTIONS, extraHeaders: headersOf(session) });
  const events = new EventObserver(ledger, userId);
  socket.io.on("reconnect_attempt", () => events.connecting());

  const observers: Record<string, (payload: never) => void> = {
    connect: () => events.connected(),
    disconnect: () => events.connecting(),
    receive_message: (message: Message) => onSeen(message, events.message(message)),
    message_changed: ({ message }: { message: Message }) => void ledger.see(userId, message),
    message_read: (marker: Parameters<EventObserver["marker"]>[1]) => events.marker("read", marker),
    message_delivered: (marker: Parameters<EventObserver["marker"]>[1]) => events.marker("delivered", marker),
    connect_error(error: Error & { description?: unknown }) {
      const isUnauthorised = error.description === 401 || error.message === "unauthorised";
      if (session.endingAt === undefined)
        checks.verify("no 401 with a valid session", !isUnauthorised, () => `handshake of ${userId}`);
    },
  };

  const tapped: ClientSocket = {
    get connected() {
      return socket.connected;
    },
    get active() {
      return socket.active;
    },
    on(name, listener) {
      const observer = observers[name];
      return socket.on(name, (value: unknown) => {
        if (observer) observer(value as never);
        listener(value);
      });
    },
    emit: (name, payload) => socket.emit(name, payload),
    connect: () => socket.connect(),
    disconnect: () => socket.disconnect(),
    timeout: (ms) => ({
      async emitWithAck(name, payload) {
        const acked = socket.timeout(ms).emitWithAck(name, payload);
        if (name !== "send_message") return acked;
        onSend();
        const { thread_id, text } = Object(payload);
        const sent = ledger.sentAs(thread_id, text);
        const note = (outcome: string) => sent && Object.assign(sent, { lastAttempt: outcome });
        if (sent) sent.attempts += 1;
        const ack: unknown = await acked.catch((error: Error) => {
          note(error.message);
          throw error;
        });
        note(JSON.stringify(ack).slice(0, 100));
        const message = observeAck(ledger, session, Object(payload), ack);
        if (message) onSeen(message, ledger.sentAs(message.thread_id, message.text));
        return ack;
      },
    }),
  };
  return { socket, tapped };
}
