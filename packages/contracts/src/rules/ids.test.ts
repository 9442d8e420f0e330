import { INTERNAL_CALLS, PUBLIC_CALLS } from "../../testing/calls.ts";
import { leavesOf, schemasOf } from "../../testing/schemas.ts";
import * as bus from "../events/bus.ts";
import * as realtime from "../events/realtime.ts";
import * as previousMessages from "../previousRelease/messages.ts";
import * as previousUsers from "../previousRelease/users.ts";
import { safeParse } from "./parse.ts";

const IS_ID = /(\bid|_ids?|[a-z]Id)(\[\])*$/;
/** Clients may choose request ids, avatars are an open set, and older stored messages have client ids of any form. */
const IS_OPEN = /\b(request_id|avatar_id|(?<!(^send_message|^newMessage|^storeMessages.*)\.)client_id)$/;

const ids = [
  bus,
  realtime,
  previousMessages,
  previousUsers,
  ...Object.values(PUBLIC_CALLS),
  ...Object.values(INTERNAL_CALLS),
]
  .flatMap(schemasOf)
  .flatMap(leavesOf)
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
  expect(ids.filter(([, schema]) => safeParse(schema, value).success).map(([path]) => path)).toEqual([]);
});

it.each(["6564b1c2a3f4e5d6c7b8a901", "0b9f1a3e-6c1d-4f0a-8a53-2f1f5a6c7d8e"])("accepts %s in every field", (value) => {
  const rejecting = ids.filter(([, schema]) => !safeParse(schema, value).success).map(([path]) => path);
  // This one must be a UUID.
  expect(rejecting.filter((path) => path !== "send_message.client_id")).toEqual([]);
});
