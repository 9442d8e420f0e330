import { safeParse } from "@messageoh/contracts/parse";
import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import fc from "fast-check";
import CORPUS from "./corpus.json" with { type: "json" };
import { hostileObject, hostileValue, type JsonText } from "./hostile.ts";
import { fieldsOf, type Values } from "./sample.ts";

/** An event in a well-formed packet, usually with an invalid payload. */
export interface HostileEvent {
  name: ClientEventName;
  payload: JsonText;
  /** Whether the schema accepts the payload. The server must reject all others. */
  isValid: boolean;
}

const NAMES = Object.keys(clientEvents) as ClientEventName[];

export function hostileEvents(valid: Values): fc.Arbitrary<HostileEvent> {
  return fc.constantFrom(...NAMES).chain((name) =>
    hostileObject(fieldsOf(clientEvents[name]), valid)
      // The server closes the connection of a larger packet without reading it.
      .filter((payload) => Buffer.byteLength(payload) < 90_000)
      .map((payload) => ({ name, payload, isValid: safeParse(clientEvents[name], JSON.parse(payload)).success })),
  );
}

/** Frames below the level of events, which engine.io and Socket.IO must handle. */
export const rawFrames: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(
    ...CORPUS.frames,
    `42["send_message","${"x".repeat(120_000)}"]`,
    `42${"[".repeat(20_000)}`,
    `40${"x".repeat(50_000)}`,
  ),
  hostileValue.map((value) => `42${value.slice(0, 90_000)}`),
  hostileValue.map((value) => `42[${value.slice(0, 90_000)},{}]`),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => `4${text.toWellFormed()}`),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
