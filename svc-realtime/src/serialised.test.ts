import { PacketType } from "socket.io-parser";
import { passingParser, serialised } from "./serialised.ts";

const { Encoder, Decoder } = passingParser;
const value = { text: 'quote " and 🦊', seq: 3 };

it.each([
  ["an event", { type: PacketType.EVENT, nsp: "/", data: ["receive_message", serialised(JSON.stringify(value))] }],
  ["an ack", { type: PacketType.ACK, nsp: "/", id: 12, data: [serialised(JSON.stringify(value))] }],
  ["an event of a namespace", { type: PacketType.EVENT, nsp: "/n", data: ["e", serialised(JSON.stringify(value))] }],
  ["what is not serialised", { type: PacketType.EVENT, nsp: "/", data: ["typing", value] }],
])("%s is read as if it had been serialised by Socket.IO", (_, packet) => {
  const decoded: unknown[] = [];
  const decoder = new Decoder();
  decoder.on("decoded" as never, ((read: unknown) => decoded.push(read)) as never);
  for (const part of new Encoder().encode(packet)) decoder.add(part);
  expect(decoded).toMatchObject([{ ...packet, data: [...packet.data.slice(0, -1), value] }]);
});
