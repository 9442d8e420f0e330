import * as v from "valibot";
import { PASSWORD_TOO_SHORT } from "./errorTexts.ts";
import { atMost, password } from "./fields.ts";
import { InvalidValue, parse, safeParse } from "./parse.ts";

const text = v.pipe(v.string(), ...atMost(3, "At most 3"));

it("returns what conforms to the schema, without other fields", () => {
  expect(safeParse(v.object({ text }), { text: "abc", other: 1 })).toEqual({ success: true, data: { text: "abc" } });
  expect(parse(v.array(text), ["a"])).toEqual(["a"]);
});

it("checks nothing after the first error", () => {
  const checked: string[] = [];
  const watched = v.pipe(
    text,
    v.check((value) => checked.push(value) > 0),
  );
  expect(safeParse(v.object({ one: watched, other: watched }), { one: "abcd", other: "a" }).error?.text).toBe(
    "At most 3",
  );
  expect(checked).toEqual([]);
  expect(() => parse(watched, "abcd")).toThrow(InvalidValue);
});

it.each([
  [{}, "list: Invalid input"],
  [{ list: [{ kind: "c" }] }, "list.0.kind: Invalid input"],
  [{ list: [{ kind: "x".repeat(100_000) }] }, "list.0.kind: Invalid input"],
  ["text", "Invalid input"],
])("names the field of %j, but never repeats the value", (value, error) => {
  const schema = v.object({ list: v.array(v.object({ kind: v.picklist(["a", "b"]) })) });
  expect(safeParse(schema, value).error?.text).toBe(error);
});

it("counts most emoji as one character", () => {
  expect(safeParse(text, "🦊🦊🦊").success).toBe(true);
  expect(safeParse(text, "🦊🦊🦊🦊").success).toBe(false);
  expect(safeParse(password, "🦊".repeat(7)).error?.message).toBe(PASSWORD_TOO_SHORT);
  expect(safeParse(password, "🦊".repeat(8)).success).toBe(true);
});
