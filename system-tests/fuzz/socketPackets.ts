import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import fc from "fast-check";
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
      .map((payload) => ({ name, payload, isValid: clientEvents[name].safeParse(JSON.parse(payload)).success })),
  );
}

/** Frames below the level of events, which engine.io and Socket.IO must handle. */
export const rawFrames: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "1",
    "2probe",
    "3",
    "4",
    "5",
    "6",
    "7",
    "9x",
    "40",
    '40{"a":1}',
    "40/admin,",
    "41",
    "42",
    "42[",
    "42[]",
    "42{}",
    "42null",
    "42[null]",
    "42[1]",
    '42["',
    '42["a"',
    "43",
    "430[]",
    "43-1[]",
    "44",
    '44{"message":"x"}',
    "45",
    "46",
    "4-1[]",
    '42["connect"]',
    '42["disconnect"]',
    '42["error"]',
    '42["__proto__",{}]',
    '42["newListener"]',
    '42["constructor"]',
    '42/admin,["x"]',
    "42999999999999999999[]",
    '451-["send_message",{"_placeholder":true,"num":0}]',
    "459999999999-[]",
    '451-["send_message",{"_placeholder":true,"num":99}]',
    '450-["x"]',
    '45-1-["x"]',
    '461-0[{"_placeholder":true,"num":-1}]',
    `42["send_message","${"x".repeat(120_000)}"]`,
    `42${"[".repeat(20_000)}`,
    `40${"x".repeat(50_000)}`,
  ),
  hostileValue.map((value) => `42${value.slice(0, 90_000)}`),
  hostileValue.map((value) => `42[${value.slice(0, 90_000)},{}]`),
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => `4${text.toWellFormed()}`),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
