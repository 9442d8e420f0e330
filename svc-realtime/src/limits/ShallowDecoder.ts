import { Decoder, PacketType } from "socket.io-parser";

/** Levels of lists and objects in a packet. An event of the contracts has at most four. */
const DEPTH_MAX = 8;
/** The number of the ack and the name of an event. */
const EVENT = /^2(\d{0,15})\["(\w{1,40})",/;
/** The type, the number of attachments and the namespace, which may contain any character but a comma. */
const NAMESPACE = /^(?:\d|[56][^-]*-)\/[^,]*/;

/**
 * Decodes packets like Socket.IO, but does not parse deeply nested ones, because 80 kB of brackets take up to 30 ms.
 * Such an event has no payload, so it is refused as invalid; any other such packet closes its connection.
 */
export class ShallowDecoder extends Decoder {
  override add(packet: unknown): void {
    if (typeof packet !== "string" || !isDeep(packet)) {
      super.add(packet);
      return;
    }
    const [, id, name] = EVENT.exec(packet) ?? [];
    if (name === undefined) throw new Error("The packet is nested too deeply");
    this.emitReserved("decoded", { type: PacketType.EVENT, nsp: "/", data: [name], ...(id && { id: Number(id) }) });
  }
}

function isDeep(packet: string): boolean {
  let depth = 0;
  let isInString = false;
  const start = NAMESPACE.exec(packet)?.[0].length ?? 0;
  for (let index = start; index < packet.length; index += 1) {
    const character = packet[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}
