import * as z from "zod/mini";
import { bodyMaxBytes } from "./bodyLimit.ts";

const text = z.string().check(z.maxLength(10));
const kind = z.enum(["one", "two"]);

it.each([
  [
    "an object",
    z.object({ text, kind, seq: z.int() }),
    { text: "🦊".repeat(10), kind: "two", seq: Number.MAX_SAFE_INTEGER },
  ],
  ["a list", z.object({ list: z.array(text).check(z.maxLength(500)) }), { list: Array(500).fill("🦊".repeat(10)) }],
  ["a pair", z.object({ range: z.tuple([text, text]) }), { range: Array(2).fill("🦊".repeat(10)) }],
  ["optional parts", z.object({ text: z.optional(text), at: z.nullable(text) }), { text: "🦊".repeat(10), at: "" }],
])("has room for %s as any client writes it", (_, schema, body) => {
  const escaped = JSON.stringify(body, null, 2).replace(
    /[\ud800-\udfff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
  expect(schema.safeParse(JSON.parse(escaped)).success).toBe(true);
  expect(bodyMaxBytes(schema)).toBeGreaterThan(escaped.length);
  expect(bodyMaxBytes(schema)).toBeLessThan(2 * escaped.length + 4_000);
});

it.each([
  ["a text", z.string()],
  ["a list", z.array(kind)],
  ["a map", z.record(text, z.int())],
  ["any value", z.unknown()],
])("is infinite for %s without a limit", (_, part) => {
  expect(bodyMaxBytes(z.object({ part }))).toBe(Number.POSITIVE_INFINITY);
});
