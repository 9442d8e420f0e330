import { randomUUID } from "node:crypto";
import { type Connection, type Meter, numbered, numberIn, openWebSocket } from "./wire.ts";

export interface SocketOptions {
  url: string;
  cookie?: string;
  /** Added to the handshake's query. */
  query?: string;
  localAddress?: string;
  /** Called when the connection is closed by the other side. */
  onClose?: () => void;
  /** Asked before the connection is used: whether its instance is a wanted one. */
  wants?: (instance: string) => boolean;
}

export interface SocketConnection extends Connection {
  /** Name of the instance that holds it. */
  instance: string;
  /** What each message carries besides its text, its id and its time. */
  route: { thread_id: string; sending_user_id: string; recipient_user_id: string };
}

/**
 * A Socket.IO client that speaks the wire format over one WebSocket: the real client would cost more than
 * some of the servers that are measured. Resolves when connected; null when the instance is not a wanted one.
 */
export async function connectSocket(options: SocketOptions): Promise<SocketConnection | null> {
  const { url, cookie, query = "", localAddress, wants = () => true, onClose } = options;
  let meter: Meter | undefined;
  const opened = Promise.withResolvers<string>();
  const connected = Promise.withResolvers<void>();
  const fail = (error: Error) => {
    opened.reject(error);
    connected.reject(error);
  };
  // Whoever waits for them learns of a failure; one that nobody waits for any more is no news.
  opened.promise.catch(() => {});
  connected.promise.catch(() => {});
  const onFrame = (frame: string) => {
    if (frame.startsWith("42")) return frame.startsWith('42["receive_message"') && meter?.delivered(numberIn(frame));
    if (frame.startsWith("43")) {
      if (frame.includes('[{"error"')) throw new Error(`A message was refused: ${frame}`);
      return meter?.acked(Number.parseInt(frame.slice(2, 14), 10));
    }
    if (frame === "2") return socket.send("3");
    if (frame.startsWith("0")) return opened.resolve(JSON.parse(frame.slice(1)).sid);
    if (frame.startsWith("40")) return connected.resolve();
    if (frame.startsWith("44")) fail(new Error(`Not let in: ${frame}`));
  };
  const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket${query}`;
  const socket = await openWebSocket(address, { headers: cookie ? { cookie } : {}, localAddress }, onFrame, () => {
    fail(new Error("Closed before it was connected"));
    onClose?.();
  });
  const instance = (await opened.promise).split(".")[0] as string;
  if (!wants(instance)) {
    socket.removeAllListeners("close").terminate();
    return null;
  }
  socket.send("40");
  await connected.promise;
  const connection: SocketConnection = {
    instance,
    route: { thread_id: "", sending_user_id: "", recipient_user_id: "" },
    listen(to) {
      meter = to;
    },
    send(n) {
      const message = {
        ...connection.route,
        text: numbered(n),
        timestamp: new Date().toISOString(),
        read: false,
        client_id: randomUUID(),
      };
      socket.send(`42${n}${JSON.stringify(["send_message", message])}`);
    },
    close: () => socket.removeAllListeners("close").terminate(),
  };
  return connection;
}
