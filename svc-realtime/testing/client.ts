import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import { io, type Socket } from "socket.io-client";

/** A Socket.IO client that records every event it receives. */
export type Client = Socket<ServerToClientEvents, ClientToServerEvents> & {
  received: [name: string, payload: unknown][];
};

/** Connects a client. Rejects if the connection is refused or lost. */
export async function connectClient(url: string, token: string | null, options: object = {}): Promise<Client> {
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(url, {
    extraHeaders: token ? { cookie: `messageoh_session=${token}` } : {},
    reconnection: false,
    forceNew: true,
    ...options,
  });
  const client: Client = Object.assign(socket, { received: [] });
  client.onAny((name, payload) => client.received.push([name, payload]));
  await new Promise<void>((resolve, reject) => {
    client.once("connect", resolve);
    client.once("connect_error", (error: Error & { description?: unknown }) =>
      reject(error.description === 401 ? new Error("unauthorised") : error),
    );
    client.once("disconnect", (reason) => reject(new Error(reason)));
  });
  return client;
}

/** Disconnects a client. Resolves when its connection is closed, so that no request outlives the test. */
export async function disconnectClient(client: Client): Promise<void> {
  const { engine } = client.io;
  const closed = new Promise<void>((resolve) => engine.once("close", () => resolve()));
  client.disconnect();
  if (engine.readyState !== "closed") await closed;
}

/** Returns the payloads of the events with this name that a client received. */
export const payloadsOf = (client: Client, name: keyof ServerToClientEvents): unknown[] =>
  client.received.filter(([received]) => received === name).map(([, payload]) => payload);

/** Returns the texts of the messages that a client received. */
export const textsOf = (client: Client): string[] =>
  payloadsOf(client, "receive_message").map((message) => (message as { text: string }).text);
