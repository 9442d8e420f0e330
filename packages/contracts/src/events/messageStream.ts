import type { Message } from "../http/messages.ts";
import type { MarkerMove, MarkerResult, NewMessage } from "../internal/messages.ts";
import type { Beat } from "./beat.ts";

/**
 * Path of the WebSocket between an instance of svc-realtime and one of svc-messages. It carries messages and delivery
 * receipts one way, and one result for each the other way, in any order. A stream that is silent for
 * {@link STREAM_SILENCE_MAX_MS} has failed.
 */
export const STREAM_PATH = "/internal/stream";
/** Longest silence of svc-messages on a stream, in milliseconds: it sends its beats there, too. */
export const STREAM_SILENCE_MAX_MS = 3_000;
/** Largest frame, in bytes. */
export const FRAME_MAX_BYTES = 16_000_000;

/**
 * Requests of svc-realtime, each with a number that its result carries: of each thread one message at a time, so that
 * its messages keep their order.
 */
export interface RequestFrame {
  messages: (readonly [number, NewMessage])[];
  receipts: (readonly [number, MarkerMove])[];
}

/** Final result for one message: stored, now or by an earlier request, or permanently rejected. */
export type FinalResult = { message: Message; is_repeat?: true; previous_id?: string | undefined } | { error: string };
/** Result for one message: final, or to be retried with the same `client_id`. */
export type StreamStoreResult = FinalResult | { retry: true };

export type StreamResult = StreamStoreResult | MarkerResult;

/** What svc-messages sends. Neither side validates a frame, because both know the secret. */
export interface ResponseFrame {
  /** The position of the process. Only `position` differs between the frames of a stream. */
  beat: Beat;
  results: (readonly [number, StreamResult])[];
  /** The process ends: it finishes what it has, and new requests go to another one. */
  is_draining?: true;
}
