import { WebSocket } from "ws";

/** What a connection tells the load: message number `n` reached the other person; the server has taken `n`. */
export interface Meter {
  delivered(n: number): void;
  acked(n: number): void;
}

/** One person's connection, whatever protocol the system under load speaks. */
export interface Connection {
  /** From now on tells this meter. */
  listen(meter: Meter): void;
  /** Sends message number `n` to this person's one partner. */
  send(n: number): void;
  close(): void;
}

export const TEXT_CHARACTERS = 20;

/** A message's text. Its number can be found in a frame without parsing the frame, so that all loads cost the same. */
export const numbered = (n: number): string => `#${n}#`.padEnd(TEXT_CHARACTERS, "x");

/** The number in a frame that holds a {@link numbered} text; -1 where there is none. */
export function numberIn(frame: string): number {
  const start = frame.indexOf("#");
  return start < 0 ? -1 : Number.parseInt(frame.slice(start + 1, start + 12), 10);
}

/** Opens a WebSocket whose text frames go to `onFrame`; resolves when it is open. */
export function openWebSocket(
  url: string,
  options: { headers?: Record<string, string>; protocol?: string; localAddress?: string },
  onFrame: (frame: string) => void,
  onClose: () => void = () => {},
): Promise<WebSocket> {
  const { protocol, headers, localAddress } = options;
  const socket = new WebSocket(url, protocol ?? [], { headers, localAddress, perMessageDeflate: false });
  socket.on("message", (data: Buffer) => onFrame(data.toString()));
  socket.on("close", onClose);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.on("error", reject);
  });
}
