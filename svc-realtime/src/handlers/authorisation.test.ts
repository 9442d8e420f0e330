import { SESSIONS_CHANNEL } from "@messageoh/contracts/bus";
import { type ClientEventName, type ClientPayload, clientEvents } from "@messageoh/contracts/realtime";
import type { ThreadMembers } from "@messageoh/contracts/users";
import {
  type Client,
  connectClient,
  createOtherServices,
  eventually,
  type Instance,
  type OtherServices,
  startInstance,
} from "../../testing/realtime.ts";

type Row<Name extends ClientEventName> = {
  payload: ClientPayload<Name>;
  /** The error that each connected caller gets; null where the event is taken. */
  errors: Record<"stranger" | "friend" | "owner", string | null>;
};

const thread: ThreadMembers = {
  thread_id: "owner-friend",
  user_ids: ["owner", "friend"],
  created_at: "2026-01-01T00:00:00.000Z",
};
const NOT_YOURS = "This is not yours";
const NOT_FRIENDS = "You are not friends";
const NOT_IN_IT = "You are not in this thread";

/** Every event, as the owner would send it. Whoever has no session has no connection to send it on. */
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
    errors: { stranger: NOT_IN_IT, friend: null, owner: null },
  },
};

let services: OtherServices;
let instance: Instance;
const clients: Client[] = [];

beforeAll(async () => {
  services = createOtherServices([thread]);
  instance = await startInstance("one", services);
});
afterAll(() => instance.close());
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
  services.state.ended.clear();
});

async function connect(token: string | null): Promise<Client> {
  const client = await connectClient(instance, token);
  clients.push(client);
  return client;
}

/** The connection of somebody with a session, in the pair's room if it is theirs. */
async function connectAs(name: "stranger" | "friend" | "owner", token = `TOKEN-${name}`): Promise<Client> {
  const client = await connect(token);
  if (name !== "stranger") {
    await client.emitWithAck("join_room", { sending_user_id: "owner", recipient_user_id: "friend" });
  }
  return client;
}

async function endSession(session_id: string): Promise<void> {
  services.state.ended.add("owner");
  const event = { type: "session_ended", session_id, user_id: "owner", request_id: "r" };
  await instance.redis.publisher.publish(SESSIONS_CHANNEL, JSON.stringify(event));
}

describe.each(Object.keys(clientEvents) as ClientEventName[])("%s", (name) => {
  const { payload, errors } = ROWS[name];

  test.each(["stranger", "friend", "owner"] as const)("answers %s as the table says", async (caller) => {
    const client = await connectAs(caller);
    const answer: object = await client.timeout(3_000).emitWithAck(name, payload as never);
    const error = "error" in answer ? answer.error : null;
    expect(error).toBe(errors[caller]);
  });

  test.each([
    ["nobody", null],
    ["an expired session", "TOKEN-past"],
  ])("has no connection to be sent on for %s", async (_, token) => {
    services.state.ended.add("past");
    await expect(connect(token)).rejects.toThrow("unauthorised");
  });

  test("has no connection left for a revoked session, nor gets a new one", async () => {
    const token = `TOKEN-owner-${name}`;
    const client = await connectAs("owner", token);
    await endSession(`session-owner-${name}`);
    await eventually(
      () => client.connected,
      (isConnected) => !isConnected,
    );
    await expect(client.timeout(200).emitWithAck(name, payload as never)).rejects.toThrow("timed out");
    await expect(connect(token)).rejects.toThrow("unauthorised");
  });
});
