import { Decoder, Encoder, type Packet } from "socket.io-parser";

/** A value that is JSON already. As an event's payload or an ack's answer it goes out as it is. */
class Serialised {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** @param json of a value of type T */
export const serialised = <T>(json: string): T => new Serialised(json) as T;

class PassingEncoder extends Encoder {
  override encode(packet: Packet): ReturnType<Encoder["encode"]> {
    const { type, nsp, id = "", data } = packet;
    if (!Array.isArray(data) || !(data.at(-1) instanceof Serialised)) return super.encode(packet);
    const parts = data.map((part) => (part instanceof Serialised ? part.json : JSON.stringify(part)));
    return [`${type}${nsp === "/" ? "" : `${nsp},`}${id}[${parts.join(",")}]`];
  }
}

/** Socket.IO's own format, without serialising again what is {@link serialised} (https://socket.io/docs/v4/custom-parser). */
export const passingParser = { Encoder: PassingEncoder, Decoder };
