import type { Message } from "@messageoh/contracts/messages";
import { type ClientSocket, SOCKET_OPTIONS } from "mfe-chat/client";
import { io, type Socket } from "socket.io-client";
import { type Ledger, labelOf, type Sent, type Session } from "../checker/ledger.ts";
import { EventObserver } from "./eventObserver.ts";

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
  const socket: Socket = io(url, { ...SOCKET_OPTIONS, extraHeaders: { cookie: session.cookie } });
  const events = new EventObserver(ledger, userId);

  const observers: Record<string, (payload: never) => void> = {
    connect: () => events.connected(),
    receive_message: (message: Message) => onSeen(message, events.message(message)),
    message_read: (marker: Parameters<EventObserver["marker"]>[1]) => events.marker("read", marker),
    message_delivered: (marker: Parameters<EventObserver["marker"]>[1]) => events.marker("delivered", marker),
    connect_error(error: Error & { description?: unknown }) {
      const isUnauthorised = error.description === 401 || error.message === "unauthorised";
      if (session.endingAt === undefined)
        checks.verify("no 401 with a valid session", !isUnauthorised, () => `handshake of ${userId}`);
    },
  };

  function observeAck(payload: { client_id?: string; text?: string; thread_id?: string }, ack: unknown): void {
    const { message, error, is_retryable } = Object(ack) as {
      message?: Message;
      error?: string;
      is_retryable?: boolean;
    };
    if (message) {
      const isOwn =
        message.client_id === payload.client_id &&
        message.text === payload.text &&
        message.thread_id === payload.thread_id &&
        message.sending_user_id === userId;
      const about = () => `${userId} sent "${payload.text?.slice(0, 60)}", acked as ${labelOf(message)}`;
      checks.verify("an ack names its own message", isOwn, about);
      const sent = ledger.see(userId, message);
      if (sent && isOwn) sent.isAcked = true;
      onSeen(message, sent);
    }
    const isRefused = error !== undefined && is_retryable === false && session.endingAt === undefined;
    checks.verify("no valid message is refused", !isRefused, () => `${userId}: ${error}`);
  }

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
        if (name === "send_message") onSend();
        const ack: unknown = await socket.timeout(ms).emitWithAck(name, payload);
        if (name === "send_message") observeAck(Object(payload), ack);
        return ack;
      },
    }),
  };
  return { socket, tapped };
}
