import { ShallowDecoder } from "./nesting.ts";

const nested = (depth: number, inner = "") => "[".repeat(depth) + inner + "]".repeat(depth);

/** Returns the data of a packet. */
function decode(packet: string): unknown {
  const decoder = new ShallowDecoder();
  let data: unknown;
  decoder.on("decoded", (decoded) => {
    data = decoded.data;
  });
  decoder.add(packet);
  return data;
}

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
  ["lists", `2["x",${nested(40_000)}]`],
  ["objects", `2["x",${'{"a":'.repeat(9)}1${"}".repeat(9)}]`],
  ["lists behind a text", `2["a]]]]",${nested(8)}]`],
  ["the data of a connection", `0${'{"a":['.repeat(5)}${"]}".repeat(5)}`],
])("rejects deeply nested %s unparsed", (_, packet) => {
  const parse = jest.spyOn(JSON, "parse");
  expect(() => decode(packet)).toThrow("nested too deeply");
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
