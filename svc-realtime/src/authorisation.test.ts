import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { type ClientEventName, type ClientPayload, clientEvents } from "@messageoh/contracts/realtime";
import { type Client, connectClient, disconnectClient } from "../testing/client.ts";
import { createFakeServices, type Instance, startInstance } from "../testing/instance.ts";

type Row<Name extends ClientEventName> = {
  payload: ClientPayload<Name>;
  /** The error that each caller gets; `null` if the event is accepted. */
  errors: Record<"stranger" | "friend" | "owner", string | null>;
};

const thread: ThreadMembers = {
  thread_id: "owner-friend",
  user_ids: ["owner", "friend"],
  created_at: "2026-01-01T00:00:00.000Z",
};
const NOT_YOURS = "This is not yours";
const NOT_FRIENDS = "You are not friends";
const NOT_IN_THREAD = "You are not in this thread";

/** Every event, with the payload that the owner sends. Callers without a session have no connection to send it on. */
const ROWS: { [Name in ClientEventName]: Row<Name> } = {
  join_add_friend_room: {
    payload: { current_user_id: "owner" },
    errors: { stranger: NOT_YOURS, friend: NOT_YOURS, owner: null },
  },
  join_room: {
    payload: { sending_user_id: "owner", recipient_user_id: "friend" },
    errors: { stranger: NOT_YOURS, friend: null, owner: null },
  },
  add_friend: {
    payload: { new_friend_id: "friend" },
    errors: { stranger: NOT_FRIENDS, friend: NOT_FRIENDS, owner: null },
  },
  send_message: {
    payload: { thread_id: thread.thread_id, sending_user_id: "owner", recipient_user_id: "friend", text: "hello" },
    errors: { stranger: NOT_YOURS, friend: NOT_YOURS, owner: null },
  },
  message_delivered: {
    payload: { thread_id: thread.thread_id, seq: 1 },
    errors: { stranger: NOT_YOURS, friend: null, owner: null },
  },
  typing: {
    payload: { thread_id: thread.thread_id, is_typing: true },
    errors: { stranger: NOT_IN_THREAD, friend: null, owner: null },
  },
};

let instance: Instance;
const clients: Client[] = [];

beforeAll(async () => {
  instance = await startInstance("one", createFakeServices([thread]));
});
afterAll(() => instance.close());
afterEach(async () => {
  await Promise.all(clients.splice(0).map(disconnectClient));
});

/** Connects a user with a session, who joins the room of the pair if the user is in it. */
async function connectAs(name: "stranger" | "friend" | "owner"): Promise<Client> {
  const client = await connectClient(instance.url, `TOKEN-${name}`);
  clients.push(client);
  if (name !== "stranger") {
    await client.emitWithAck("join_room", { sending_user_id: "owner", recipient_user_id: "friend" });
  }
  return client;
}

describe.each(Object.keys(clientEvents) as ClientEventName[])("%s", (name) => {
  const { payload, errors } = ROWS[name];

  test.each(["stranger", "friend", "owner"] as const)("responds to a %s as the table defines", async (caller) => {
    const client = await connectAs(caller);
    const ack: object = await client.timeout(3_000).emitWithAck(name, payload as never);
    const error = "error" in ack ? ack.error : null;
    expect(error).toBe(errors[caller]);
  });
});
