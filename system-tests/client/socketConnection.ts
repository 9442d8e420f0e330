import { randomUUID } from "node:crypto";
import { EngineClient, type EngineOptions } from "./engineClient.ts";
import { type Connection, type Meter, numbered, numberIn } from "./wire.ts";

const ATTEMPTS_MAX = 50;

export interface SocketOptions extends Pick<EngineOptions, "query" | "onClose"> {
  url: string;
  cookie?: string;
  /** Returns whether to keep a connection to this instance; otherwise the next one is tried. */
  accepts?: (instance: string) => boolean;
}

export interface SocketConnection extends Connection {
  /** Name of the instance that serves the connection. */
  instance: string;
  /** Thread, sender and recipient of each message. */
  route: { thread_id: string; sending_user_id: string; recipient_user_id: string };
  emit(event: string, payload: object): void;
  /** Emits an event and resolves when it is acked. */
  request(event: string, payload: object): Promise<unknown>;
  /** Called with the frame of each received message. */
  onMessage?: (frame: string) => void;
}

/** Connects a user who sends and measures messages. */
export async function connectSocket(options: SocketOptions): Promise<SocketConnection> {
  let meter: Meter | undefined;
  const onFrame = (frame: string) => {
    if (frame.startsWith('42["receive_message"')) {
      meter?.delivered(numberIn(frame));
      return connection.onMessage?.(frame);
    }
    if (!frame.startsWith("43")) return;
    if (frame.includes('[{"error"')) throw new Error(`The server rejected an event: ${frame}`);
    meter?.acked(Number.parseInt(frame.slice(2, 14), 10));
  };
  const client = await openAccepted({ ...options, onFrame });
  const connection: SocketConnection = {
    instance: client.instance,
    route: { thread_id: "", sending_user_id: "", recipient_user_id: "" },
    listen(to) {
      meter = to;
    },
    send(n) {
      const sent = { text: numbered(n), timestamp: new Date().toISOString(), read: false, client_id: randomUUID() };
      client.send(`42${n}${JSON.stringify(["send_message", { ...connection.route, ...sent }])}`);
    },
    emit: (event, payload) => client.send(`42${JSON.stringify([event, payload])}`),
    request: (event, payload) => client.request(event, JSON.stringify(payload)),
    close: () => client.close(),
  };
  await client.connect();
  return connection;
}

async function openAccepted({ url, cookie, accepts = () => true, ...options }: SocketOptions & EngineOptions) {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const client = await EngineClient.open(url, cookie, options);
    if (accepts(client.instance)) return client;
    client.close();
  }
  throw new Error("The gateway routes no connection to an accepted instance");
}
