import { randomUUID } from "node:crypto";
import { type Connection, type Meter, numbered, numberIn, openWebSocket } from "./wire.ts";

export interface SocketOptions {
  url: string;
  cookie?: string;
  /** Appended to the query of the handshake. */
  query?: string;
  /** Called when the other side closes the connection. */
  onClose?: () => void;
  /** Returns whether to keep a connection to this instance. */
  accepts?: (instance: string) => boolean;
}

export interface SocketConnection extends Connection {
  /** Name of the instance that serves the connection. */
  instance: string;
  /** Thread, sender and recipient of each message. */
  route: { thread_id: string; sending_user_id: string; recipient_user_id: string };
  emit(event: string, payload: object): void;
  /** Emits an event and resolves when it is acked. Only one call may be pending. */
  request(event: string, payload: object): Promise<void>;
  /** Called with the frame of each received message. */
  onMessage?: (frame: string) => void;
}

/** Ack id of {@link SocketConnection.request}. Ack ids of messages start at 1. */
const REQUEST_ID = 0;

/**
 * Connects a minimal Socket.IO client over a WebSocket; the official client uses more CPU time than some measured servers.
 * Returns `null` if `accepts` rejects the instance.
 */
export async function connectSocket(options: SocketOptions): Promise<SocketConnection | null> {
  const { url, cookie, query = "", accepts = () => true, onClose } = options;
  let meter: Meter | undefined;
  let acked: (() => void) | undefined;
  const opened = Promise.withResolvers<string>();
  const connected = Promise.withResolvers<void>();
  const fail = (error: Error) => {
    opened.reject(error);
    connected.reject(error);
  };
  // Either may reject when nothing awaits it.
  opened.promise.catch(() => {});
  connected.promise.catch(() => {});
  const onFrame = (frame: string) => {
    if (frame.startsWith('42["receive_message"')) {
      meter?.delivered(numberIn(frame));
      return connection.onMessage?.(frame);
    }
    if (frame.startsWith("42")) return;
    if (frame.startsWith("43")) {
      if (frame.includes('[{"error"')) throw new Error(`The server rejected an event: ${frame}`);
      const ackId = Number.parseInt(frame.slice(2, 14), 10);
      return ackId === REQUEST_ID ? acked?.() : meter?.acked(ackId);
    }
    if (frame === "2") return socket.send("3");
    if (frame.startsWith("0")) return opened.resolve(JSON.parse(frame.slice(1)).sid);
    if (frame.startsWith("40")) return connected.resolve();
    if (frame.startsWith("44")) fail(new Error(`The server rejected the handshake: ${frame}`));
  };
  const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket${query}`;
  const socket = await openWebSocket(address, { headers: cookie ? { cookie } : {} }, onFrame, () => {
    fail(new Error("Closed before it was connected"));
    onClose?.();
  });
  const emit = (event: string, payload: object, ackId: number | "" = "") =>
    socket.send(`42${ackId}${JSON.stringify([event, payload])}`);
  const connection: SocketConnection = {
    instance: (await opened.promise).split(".")[0] as string,
    route: { thread_id: "", sending_user_id: "", recipient_user_id: "" },
    listen(to) {
      meter = to;
    },
    send(n) {
      const sent = { text: numbered(n), timestamp: new Date().toISOString(), read: false, client_id: randomUUID() };
      emit("send_message", { ...connection.route, ...sent }, n);
    },
    emit,
    request(event, payload) {
      emit(event, payload, REQUEST_ID);
      return new Promise((resolve) => {
        acked = resolve;
      });
    },
    close: () => socket.removeAllListeners("close").terminate(),
  };
  if (!accepts(connection.instance)) {
    connection.close();
    return null;
  }
  socket.send("40");
  await connected.promise;
  return connection;
}
