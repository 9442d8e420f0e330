import { errorIn } from "@messageoh/contracts/client";
import { safeParse } from "@messageoh/contracts/parse";
import {
  type ClientEventName,
  type ClientPayload,
  type ServerEventName,
  type ServerPayload,
  serverEvents,
} from "@messageoh/contracts/realtime";
import { io, type ManagerOptions, type SocketOptions } from "socket.io-client";
import { parseJson } from "../../storage/browserStorage.ts";

/** Error message of a connection that the server rejects because nobody is signed in. */
const UNAUTHORISED = "unauthorised";
const REFUSED_RETRY_MS = 2_000;
const ACK_MS = 10_000;
/** Limits the rate of reconnects if a client reaches a draining instance repeatedly. */
const MOVE_MIN_MS = 500;

/** Settings of the page's connection. */
export const SOCKET_OPTIONS: Partial<ManagerOptions & SocketOptions> = {
  autoConnect: false,
  // A remounted page gets a new connection with its own listeners.
  forceNew: true,
  path: "/socket.io",
  transports: ["polling", "websocket"],
  reconnectionDelay: 1_000,
  reconnectionDelayMax: 5_000,
  randomizationFactor: 0.5,
  timeout: 20_000,
};

/** A failed attempt to connect, with the status and the request of a response of the transport. */
type ConnectError = Error & { description?: unknown; context?: { responseText?: string } };

/** Handlers of the events of the server, except the one that only the socket handles. */
export type ServerHandlers = {
  [Name in Exclude<ServerEventName, "server_draining">]: (payload: ServerPayload<Name>) => void;
};

/** The subset of a Socket.IO client that the chat uses. */
export interface ClientSocket {
  readonly connected: boolean;
  readonly active: boolean;
  on: (name: string, listener: (value: unknown) => void) => unknown;
  emit: (name: string, payload: unknown) => unknown;
  connect: () => unknown;
  disconnect: () => unknown;
  timeout: (ms: number) => { emitWithAck: (name: string, payload: unknown) => Promise<unknown> };
}

export interface SocketListeners {
  handlers: ServerHandlers;
  onConnect: () => void;
  onDisconnect: () => void;
  onUnauthorised: () => void;
  /** Called with the server's reason when it refuses the connection for now. */
  onRefused: (reason: string) => void;
  /** Called when an attempt to connect gets no response. */
  onUnreachable: () => void;
}

export type ChatSocket = ReturnType<typeof createChatSocket>;

/**
 * Returns the connection for live events: to the page's origin and the default path, by long-polling, upgraded to
 * websocket.
 * @param socket untyped, because a typed Socket does not resolve an event name that is a type parameter
 */
export function createChatSocket(socket: ClientSocket = io(SOCKET_OPTIONS)) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;

  function later(ms: number, act: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(() => isOpen && act(), ms * Math.random());
  }

  /** Connects, maybe to another instance. */
  function reopen(): void {
    socket.disconnect();
    socket.connect();
  }

  function moveAway({ within_ms }: ServerPayload<"server_draining">): void {
    later(Math.max(within_ms, MOVE_MIN_MS), reopen);
  }

  return {
    /** Call it once and not on every connect: a second listener would get every message twice. */
    listen({ handlers, onConnect, onDisconnect, onUnauthorised, onRefused, onUnreachable }: SocketListeners): void {
      socket.on("connect", onConnect);
      socket.on("disconnect", (reason) => {
        onDisconnect();
        // The client does not reconnect by itself if the server closed the connection.
        if (reason === "io server disconnect") later(REFUSED_RETRY_MS, () => socket.connect());
      });
      socket.on("connect_error", (value) => {
        const error = value as ConnectError;
        const refusal = refusalIn(error, socket.active);
        // The session ended: before the handshake (401), or between the handshake and the connect event.
        if (error.description === 401 || error.message === UNAUTHORISED) onUnauthorised();
        else if (refusal) onRefused(refusal);
        else onUnreachable();
        // The client does not reconnect by itself after a refusal either.
        if (!socket.active) later(2 * REFUSED_RETRY_MS, () => socket.connect());
      });
      for (const name of Object.keys(serverEvents) as ServerEventName[]) {
        socket.on(name, (payload) => {
          const parsed = safeParse(serverEvents[name], payload);
          if (!parsed.success) console.warn(`Dropped an invalid ${name} event`, parsed.error);
          else if (name === "server_draining") moveAway(parsed.data as ServerPayload<"server_draining">);
          else (handlers[name] as (payload: unknown) => void)(parsed.data);
        });
      }
    },
    isConnected: () => socket.connected,
    connect(): void {
      isOpen = true;
      socket.connect();
    },
    /** Connects without waiting for the next attempt. */
    connectNow(): void {
      if (isOpen && !socket.connected) reopen();
    },
    close(): void {
      isOpen = false;
      clearTimeout(timer);
      socket.disconnect();
    },
    /** Sends the event, or drops it without a connection. */
    emit<Name extends ClientEventName>(name: Name, payload: ClientPayload<Name>): void {
      if (socket.connected) socket.emit(name, payload);
    },
    /** Sends the event and returns the acknowledgement. Rejects on a timeout in ms or without a connection. */
    request<Name extends ClientEventName>(
      name: Name,
      payload: ClientPayload<Name>,
      timeoutMs = ACK_MS,
    ): Promise<unknown> {
      if (!socket.connected) return Promise.reject(new Error("Not connected"));
      return socket.timeout(timeoutMs).emitWithAck(name, payload);
    },
  };
}

/**
 * Returns the server's reason for refusing a connection: from the error that it responded with, or from the body of a
 * 429 response. Returns `undefined` for network failures.
 */
function refusalIn({ message, description, context }: ConnectError, isRetried: boolean): string | undefined {
  if (!isRetried) return message;
  return description === 429 ? errorIn(parseJson(context?.responseText)) : undefined;
}
