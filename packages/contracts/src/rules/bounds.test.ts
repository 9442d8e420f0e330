import * as v from "valibot";
import { INTERNAL_CALLS, PUBLIC_CALLS } from "../../testing/calls.ts";
import { schemasOf, schemasWithin, stepsOf } from "../../testing/schemas.ts";
import { clientEvents } from "../events/realtime.ts";
import * as previousMessages from "../previousRelease/messages.ts";
import * as previousUsers from "../previousRelease/users.ts";
import { isoTime, messageText, password, shortList, userName } from "./fields.ts";
import { safeParse } from "./parse.ts";

/** Values of a limited length, values that are not checked at all, and values that consist of others. */
const WITHOUT_LENGTH = [
  "number",
  "boolean",
  "literal",
  "picklist",
  "object",
  "optional",
  "nullable",
  "unknown",
  "union",
];
const internal: Record<string, unknown> = Object.assign(
  {},
  ...Object.values(INTERNAL_CALLS),
  previousMessages,
  previousUsers,
);
const calls = Object.assign({}, ...Object.values(PUBLIC_CALLS), internal);
const isInternal = (name: string) => (name.split(".")[0] ?? "") in internal;

/** All that other processes send to a service, by path. */
const inputs = [
  ...schemasOf(calls).filter(([name]) => /\.(params|query|body)$/.test(name)),
  ...schemasOf({ clientEvents }),
].flatMap(schemasWithin);
const ofType = (type: string) => inputs.filter(([, schema]) => schema.type === type);
const isBounded = ([, schema]: (typeof inputs)[number]) => stepsOf(schema)[0]?.type === "max_length";

it("finds the texts and lists of calls and socket events", () => {
  expect(inputs.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      "register.body.name",
      "listUsers.query.search",
      "endSession.params.session_id",
      "subscribePush.body.keys.auth",
      "storeMessages.body.messages[].text",
      "send_message.text",
      "send_message.client_id",
    ]),
  );
  expect(ofType("string").length).toBeGreaterThan(80);
});

it("checks the length of every text before everything else", () => {
  const unbounded = ofType("string").filter((named) => !isBounded(named));
  expect(unbounded.map(([path]) => path)).toEqual([]);
});

it("limits the number of items of every list of an internal call", () => {
  const unbounded = ofType("array").filter(([, schema]) => !stepsOf(schema).some(({ type }) => type === "max_length"));
  expect(unbounded.map(([path]) => path)).toEqual([]);
});

it("has only texts, plain values and short lists in what browsers send, because items are checked before they are counted", () => {
  const isShort = ([, { type, item }]: (typeof inputs)[number]) => type === "array" && item?.type === "custom";
  const shortLists = new Set(inputs.filter(isShort).map(([path]) => path));
  const others = inputs.filter(
    (named) => !["string", ...WITHOUT_LENGTH].includes(named[1].type) && !isShort(named) && !isInternal(named[0]),
  );
  expect([...shortLists]).toContain("send_message.attachments");
  expect(others.map(([path, { type }]) => [path, type])).toEqual([]);
});

it("refuses a long list before it checks an item", () => {
  const checked: unknown[] = [];
  const list = shortList(
    v.custom<unknown>((item) => checked.push(item) > 0),
    2,
    "At most 2",
  );
  expect(safeParse(list, ["one", "two"]).success).toBe(true);
  expect(safeParse(list, ["one", "two", "three"]).error?.message).toBe("At most 2");
  expect(checked).toEqual(["one", "two"]);
});

it.each([
  ["a name", userName, "Username must have at most 30 characters"],
  ["a password", password, "Password must have at most 72 bytes"],
  ["a message", messageText, "A message has at most 4000 characters"],
  ["a time", isoTime, "Must be a time in ISO 8601 format"],
])("reports only the length of %s that is too long", (_, schema, error) => {
  const long = `a${"\u0301".repeat(24_000)}${"\u0323".repeat(24_000)}`;
  expect(safeParse(schema, long).error?.message).toBe(error);
  const { issues } = v.safeParse(schema, long, { abortPipeEarly: true });
  expect(issues?.map(({ type }) => type)).toEqual(["max_length"]);
});
