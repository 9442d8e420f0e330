import * as z from "zod/mini";
import { INTERNAL_CALLS, PUBLIC_CALLS } from "../../testing/calls.ts";
import { schemasOf, schemasWithin } from "../../testing/schemas.ts";
import { clientEvents } from "../events/realtime.ts";
import * as previousRelease from "../previousRelease/messages.ts";
import { isoTime, messageText, password, shortList, userName } from "./fields.ts";

/** Values of a limited length, or values that are not checked at all. */
const WITHOUT_LENGTH = ["number", "boolean", "literal", "enum", "object", "optional", "nullable", "unknown"];
const internal: Record<string, unknown> = Object.assign({}, ...Object.values(INTERNAL_CALLS), previousRelease);
const calls = Object.assign({}, ...Object.values(PUBLIC_CALLS), internal);
const isInternal = (name: string) => (name.split(".")[0] ?? "") in internal;

/** All that other processes send to a service, by path. */
const inputs = [
  ...schemasOf(calls).filter(([name]) => /\.(params|query|body)$/.test(name)),
  ...schemasOf({ clientEvents }),
].flatMap(schemasWithin);
const ofType = (type: string) => inputs.filter(([, { def }]) => def.type === type);

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
  const unbounded = ofType("string").filter(([, { def }]) => {
    const [first, second] = def.checks ?? [];
    const { check, abort = false } = first?._zod.def ?? {};
    // The schema of a format, such as `z.url()`, is the first check itself.
    return def.check !== undefined || check !== "max_length" || (second !== undefined && !abort);
  });
  expect(unbounded.map(([path]) => path)).toEqual([]);
});

it("limits the number of items of every list of an internal call", () => {
  const unbounded = ofType("array").filter(
    ([, { def }]) => !def.checks?.some(({ _zod }) => _zod.def.check === "max_length"),
  );
  expect(unbounded.map(([path]) => path)).toEqual([]);
});

it("has only texts, plain values and short lists in what browsers send, because zod counts items after it has checked them", () => {
  const shortLists = new Set(ofType("pipe").map(([path]) => path));
  const others = inputs.filter(
    ([path, { def }]) =>
      !["string", "pipe", ...WITHOUT_LENGTH].includes(def.type) &&
      !(def.type === "array" && shortLists.has(path)) &&
      !isInternal(path),
  );
  expect([...shortLists]).toContain("send_message.attachments");
  expect(others.map(([path, { def }]) => [path, def.type])).toEqual([]);
});

it("refuses a long list before it checks an item", () => {
  const checked: unknown[] = [];
  const list = shortList(
    z.custom<unknown>((item) => checked.push(item) > 0),
    2,
    "At most 2",
  );
  expect(list.safeParse(["one", "two"]).success).toBe(true);
  const { error } = list.safeParse(["one", "two", "three"]);
  expect(error?.issues.map(({ message }) => message)).toEqual(["At most 2"]);
  expect(checked).toEqual(["one", "two"]);
});

it.each([
  ["a name", userName],
  ["a password", password],
  ["a message", messageText],
  ["a time", isoTime],
])("reports only the length of %s that is too long", (_, schema) => {
  const { error } = schema.safeParse(`a${"\u0301".repeat(24_000)}${"\u0323".repeat(24_000)}`);
  expect(error?.issues.map(({ code }) => code)).toEqual(["too_big"]);
});
