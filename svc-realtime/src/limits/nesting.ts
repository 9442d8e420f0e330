import { Decoder } from "socket.io-parser";

/** Levels of lists and objects in a packet. An event of the contracts has at most four. */
const DEPTH_MAX = 8;

/**
 * Decodes packets like Socket.IO, but rejects deeply nested ones unparsed, which closes their connection: to parse 80 kB of
 * brackets takes up to 30 ms.
 */
export class ShallowDecoder extends Decoder {
  override add(packet: unknown): void {
    if (typeof packet === "string" && isDeep(packet)) throw new Error("The packet is nested too deeply");
    super.add(packet);
  }
}

function isDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}
