import { type Packet, PacketType } from "socket.io-parser";
import { ShallowDecoder } from "./ShallowDecoder.ts";

const nested = (depth: number, inner = "") => "[".repeat(depth) + inner + "]".repeat(depth);

/** Returns a decoded packet. */
function decodeAll(packet: string): Packet | undefined {
  const decoder = new ShallowDecoder();
  let decoded: Packet | undefined;
  decoder.on("decoded", (result) => {
    decoded = result;
  });
  decoder.add(packet);
  return decoded;
}
const decode = (packet: string) => decodeAll(packet)?.data;

it.each([
  ["an event", '2["typing",{"thread_id":"a","is_typing":true}]', ["typing", { thread_id: "a", is_typing: true }]],
  ["an event with an ack", '21["x",1]', ["x", 1]],
  ["eight levels", `2["x",${nested(7)}]`, ["x", [[[[[[[]]]]]]]]],
  ["brackets in a text", `2["x","${"[{".repeat(20)}"]`, ["x", "[{".repeat(20)]],
  ["brackets behind an escaped quote", `2["x","\\"${"[".repeat(20)}\\\\"]`, ["x", `"${"[".repeat(20)}\\`]],
  ["many short lists", `2["x",[${Array(50).fill("[]").join()}]]`, ["x", Array(50).fill([])]],
])("decodes %s", (_, packet, data) => {
  expect(decode(packet)).toEqual(data);
});

it.each([
  ["lists", `2["x",${nested(40_000)}]`, { data: ["x"] }],
  ["objects with an ack", `217["x",${'{"a":'.repeat(9)}1${"}".repeat(9)}]`, { data: ["x"], id: 17 }],
  ["lists behind brackets in a text", `2["x","]]]]",${nested(8)}]`, { data: ["x"] }],
])("decodes an event of deeply nested %s without its payload, unparsed", (_, packet, event) => {
  const parse = jest.spyOn(JSON, "parse");
  expect(decodeAll(packet)).toEqual({ type: PacketType.EVENT, nsp: "/", ...event });
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

it("rejects the deeply nested data of a connection", () => {
  expect(() => decode(`0${'{"a":['.repeat(5)}${"]}".repeat(5)}`)).toThrow("nested too deeply");
});

it.each([`2/",["x",${nested(8)}]`, `0/["[",${nested(9)}`, `51-/",["x",${nested(8)}]`])(
  "rejects deeply nested data behind a namespace with a quote, unparsed: %s",
  (packet) => {
    const parse = jest.spyOn(JSON, "parse");
    expect(() => decode(packet)).toThrow("nested too deeply");
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  },
);
