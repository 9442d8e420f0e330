import fc from "fast-check";
import type { Values } from "./sample.ts";

/** JSON text, including text that `JSON.stringify` does not produce. */
export type JsonText = string;

const quoted = (text: string): JsonText => JSON.stringify(text);
export const nested = (depth: number): JsonText => "[".repeat(depth) + "]".repeat(depth);
const nestedObject = (depth: number): JsonText => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Combining marks whose normalisation takes time that grows with the square of their number. */
export const COSTLY_NAME = `a${"\u0301".repeat(24_000)}${"\u0323".repeat(24_000)}`;

const KNOWN_TRICKS: JsonText[] = [
  ...[quoted(COSTLY_NAME), nested(45_000), `[${"0,".repeat(45_000)}0]`, nestedObject(15_000)],
  ...["null", "true", "false", "0", "-0", "-1", "1.5", "1e400", "-1e400", "9007199254740993", '""', '" "', "[]", "{}"],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"a\\udc00b"', '"\\u202eabc"', '"\\u200b"', '"\\ufeff"', '"\\uffff"'],
  ...['{"$gt":""}', '{"$ne":null}', '{"$regex":".*"}', '{"$where":"sleep(1000)"}', '[{"$gt":""}]', '{"$set":{"a":1}}'],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}', '{"toString":1}'],
  ...['{"length":1e9}', '{"then":"x"}', '{"toJSON":"x"}', '{"_bsontype":"ObjectId"}', '{"a":1,"a":{"$gt":1}}'],
  ...[nested(50), nested(5_000), nestedObject(3_000), quoted("x".repeat(5_000)), quoted("x".repeat(60_000))],
  ...["../../etc/passwd", "<script>alert(1)</script>", "' || '1'=='1", "%00", "{{7*7}}", "\r\nSet-Cookie: a=b"].map(
    quoted,
  ),
  quoted("👩‍👩‍👧‍👦".repeat(1_000)),
];

/** A value that is invalid for almost every field of the contracts. */
export const hostileValue: fc.Arbitrary<JsonText> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN_TRICKS) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 100 }).map(quoted) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => String(number)) },
);

/** Field names with a special meaning in JavaScript or MongoDB. */
const EXTRA_FIELDS = ["__proto__", "constructor", "$where", "$set", "user_id", "id", "_id", "read", "a.b", "toString"];

/**
 * Returns objects in which some fields are valid, some hostile and some missing; or other hostile values.
 * @param valid valid values by field
 */
export function hostileObject(fields: readonly string[], valid: Values): fc.Arbitrary<JsonText> {
  const entry = (field: string): fc.Arbitrary<string | null> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(field in valid ? `${quoted(field)}:${JSON.stringify(valid[field])}` : null) },
      { weight: 3, arbitrary: hostileValue.map((value) => `${quoted(field)}:${value}`) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  const extra = fc
    .tuple(fc.constantFrom(...EXTRA_FIELDS), hostileValue)
    .map(([field, value]) => `${quoted(field)}:${value}`);
  const object = fc
    .tuple(fc.tuple(...fields.map(entry)), fc.array(extra, { maxLength: 2 }))
    .map(([entries, extras]) => `{${[...entries.filter((one) => one !== null), ...extras].join(",")}}`);
  return fc.oneof({ weight: 8, arbitrary: object }, { weight: 1, arbitrary: hostileValue });
}
