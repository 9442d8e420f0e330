import { exchange } from "../ports.ts";

const OP_MSG = 2013;
const OK = Buffer.from([...Buffer.from("\x01ok\0"), 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);

/** Whether a MongoDB server on this loopback port answers a ping: a bare connection says nothing of the engine behind. */
export async function mongoAnswers(port: number): Promise<boolean> {
  const answer = await exchange(port, pingMessage(), 3_000);
  return answer?.includes(OK) ?? false;
}

function pingMessage(): Buffer {
  const ping = Buffer.concat([Buffer.from("\x10ping\0"), int32(1)]);
  const database = Buffer.concat([Buffer.from("\x02$db\0"), int32(6), Buffer.from("admin\0")]);
  const fields = Buffer.concat([ping, database, Buffer.from([0])]);
  const body = Buffer.concat([int32(0), Buffer.from([0]), int32(fields.length + 4), fields]);
  return Buffer.concat([int32(body.length + 16), int32(1), int32(0), int32(OP_MSG), body]);
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer;
}
