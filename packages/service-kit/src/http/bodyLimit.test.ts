import { atMost, int } from "@messageoh/contracts/fields";
import { safeParse } from "@messageoh/contracts/parse";
import * as v from "valibot";
import { bodyMaxBytes } from "./bodyLimit.ts";

const text = v.pipe(v.string(), ...atMost(10));
const kind = v.picklist(["one", "two"]);

it.each([
  [
    "an object",
    v.object({ text, kind, seq: int }),
    { text: "🦊".repeat(10), kind: "two", seq: Number.MAX_SAFE_INTEGER },
  ],
  ["a list", v.object({ list: v.pipe(v.array(text), v.maxLength(500)) }), { list: Array(500).fill("🦊".repeat(10)) }],
  ["a pair", v.object({ range: v.tuple([text, text]) }), { range: Array(2).fill("🦊".repeat(10)) }],
  ["optional parts", v.object({ text: v.optional(text), at: v.nullable(text) }), { text: "🦊".repeat(10), at: "" }],
])("has room for %s as any client writes it", (_, schema, body) => {
  const escaped = JSON.stringify(body, null, 2).replace(
    /[\ud800-\udfff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  expect(safeParse(schema, JSON.parse(escaped)).success).toBe(true);
  expect(bodyMaxBytes(schema)).toBeGreaterThan(escaped.length);
  expect(bodyMaxBytes(schema)).toBeLessThan(2 * escaped.length + 4_000);
});

it.each([
  ["a text", v.string()],
  ["a list", v.array(kind)],
  ["a map", v.record(text, int)],
  ["any value", v.unknown()],
])("is infinite for %s without a limit", (_, part) => {
  expect(bodyMaxBytes(v.object({ part }))).toBe(Number.POSITIVE_INFINITY);
});
