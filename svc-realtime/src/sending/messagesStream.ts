import {
  FRAME_MAX_BYTES,
  type RequestFrame,
  type ResponseFrame,
  STREAM_PATH,
  STREAM_SILENCE_MAX_MS,
} from "@messageoh/contracts/messageStream";
import type { Logger } from "@messageoh/service-kit/logger";
import { WebSocket } from "ws";

export interface StreamHandlers {
  onFrame: (frame: ResponseFrame) => void;
  /** Called once, when the stream has failed or ended. */
  onClose: () => void;
}

/** A stream to an instance of svc-messages. */
export interface MessagesStream {
  send: (frame: RequestFrame) => void;
  close: () => void;
}

export type OpenStream = (baseUrl: string, handlers: StreamHandlers) => MessagesStream;

/**
 * Returns a function that opens a stream to an instance of svc-messages; its first frame says that it is open. A stream
 * that is silent for {@link STREAM_SILENCE_MAX_MS} is closed: a frozen process does not close it. So is one with an
 * invalid frame.
 * @param headers returns the headers of internal calls
 */
export const createOpenStream =
  (headers: () => Record<string, string>, logger: Logger): OpenStream =>
  (baseUrl, { onFrame, onClose }) => {
    const socket = new WebSocket(baseUrl.replace(/^http/, "ws") + STREAM_PATH, {
      headers: headers(),
      perMessageDeflate: false,
      maxPayload: FRAME_MAX_BYTES,
    });
    const timer = setTimeout(() => socket.terminate(), STREAM_SILENCE_MAX_MS).unref();
    socket.on("message", (data) => {
      timer.refresh();
      try {
        onFrame(JSON.parse(String(data)) as ResponseFrame);
      } catch (err) {
        logger.error({ err }, "stream frame is invalid");
        socket.terminate();
      }
    });
    // A close event follows.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      onClose();
    });
    return {
      send(frame) {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
      },
      close: () => socket.terminate(),
    };
  };
