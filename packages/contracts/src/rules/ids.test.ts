import * as bus from "../events/bus.ts";
import * as realtime from "../events/realtime.ts";
import * as messages from "../http/messages.ts";
import * as users from "../http/users.ts";
import * as previousRelease from "../previousRelease/messages.ts";

const IS_ID = /(\bid|_ids?|[a-z]Id)(\[\])*$/;
/** Clients may choose request ids, avatars are an open set, and older stored messages have client ids of any form. */
const IS_OPEN = /\b(request_id|avatar_id|(?<!(^send_message|^newMessage|^storeMessages.*)\.)client_id)$/;

/** The parts of a zod schema that this test reads. */
interface Schema {
  safeParse: (value: unknown) => { success: boolean };
  def: {
    type: string;
    shape?: Record<string, Schema>;
    innerType?: Schema;
    element?: Schema;
    items?: Schema[];
    options?: Schema[];
    keyType?: Schema;
    valueType?: Schema;
  };
}

/** Returns the schemas of single values within a schema, by path. */
function leavesOf(schema: Schema, path: string): [path: string, schema: Schema][] {
  const { shape, innerType, element, items, options, keyType, valueType } = schema.def;
  if (shape) return Object.entries(shape).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`));
  if (innerType) return leavesOf(innerType, path);
  if (element) return leavesOf(element, `${path}[]`);
  if (keyType && valueType) return [...leavesOf(keyType, `${path}.key_id`), ...leavesOf(valueType, `${path}.value`)];
  const parts = items ?? options;
  return parts ? parts.flatMap((part) => leavesOf(part, items ? `${path}[]` : path)) : [[path, schema]];
}

/** Returns the schemas of endpoints and socket events, and standalone schemas, by name. */
function schemasOf(module: Record<string, unknown>): [name: string, schema: unknown][] {
  return Object.entries(module).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== "object" || value === null) return [];
    if ("path" in value && "response" in value) {
      const { params, query, body, response } = value as Record<string, unknown>;
      return Object.entries({ params, query, body, response }).map(([part, schema]) => [`${name}.${part}`, schema]);
    }
    return "def" in value ? [[name, value]] : Object.entries(value);
  });
}

const ids = [bus, messages, realtime, users, previousRelease]
  .flatMap(schemasOf)
  .flatMap(([name, schema]) => leavesOf(schema as Schema, name))
  .filter(([path]) => IS_ID.test(path) && !IS_OPEN.test(path));

it("finds the ids of calls, socket events and bus events", () => {
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      "listMessages.params.user_id",
      "listMessages.query.thread_id",
      "storeMessages.body.messages[].thread_id",
      "storeMessages.body.messages[].client_id",
      "listRecentMessages.body.user_ids[]",
      "listMissedMessages.body.user_ids[]",
      "listRecentMessages.body.known.key_id",
      "threadMembers.user_ids[]",
      "message.id",
      "send_message.thread_id",
      "send_message.client_id",
      "received_add_new_friend.message_thread.friendParticipantId",
      "userEvent.marker.thread_id",
    ]),
  );
});

it.each([
  ["two dots", ".."],
  ["a dot", "."],
  ["a slash", "a/b"],
  ["escaped dots", "%2e%2e"],
  ["a lone surrogate", "a\ud800"],
  ["a NUL", "a\0b"],
  ["a colon, which separates the parts of keys", "a:1"],
  ["a line break at its end", "a\n"],
  ["no characters", ""],
  ["65 characters", "x".repeat(65)],
  ["10,000 characters", "x".repeat(10_000)],
  ["a database operator", { $gt: "" }],
])("rejects an id with %s in every field", (_, value) => {
  expect(ids.filter(([, schema]) => schema.safeParse(value).success).map(([path]) => path)).toEqual([]);
});

it.each(["6564b1c2a3f4e5d6c7b8a901", "0b9f1a3e-6c1d-4f0a-8a53-2f1f5a6c7d8e"])("accepts %s in every field", (value) => {
  const rejecting = ids.filter(([, schema]) => !schema.safeParse(value).success).map(([path]) => path);
  // This one must be a UUID.
  expect(rejecting.filter((path) => path !== "send_message.client_id")).toEqual([]);
});
