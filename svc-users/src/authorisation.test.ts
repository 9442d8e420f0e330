import { createECDH } from "node:crypto";
import { createClient } from "@messageoh/contracts/client";
import type { CallInput, Endpoint } from "@messageoh/contracts/endpoint";
import * as internalContract from "@messageoh/contracts/internal/users";
import * as inviteContract from "@messageoh/contracts/invites";
import * as previousRelease from "@messageoh/contracts/previousRelease/users";
import * as pushContract from "@messageoh/contracts/push";
import * as userContract from "@messageoh/contracts/users";
import { internalHeaders } from "@messageoh/service-kit/internal";
import {
  type Answers,
  CALLERS,
  type Caller,
  FOR_ANY_SESSION,
  FOR_ANYONE,
  FOR_SERVICES,
  FOR_THE_OWNER,
  statusOf,
} from "@messageoh/service-kit/testing/authorisation";
import { type CallsOf, endpointsOf } from "@messageoh/service-kit/testing/contracts";
import { TEST_SECRET as SECRET, serveUsers } from "../testing/service.ts";

const contract = { ...userContract, ...pushContract, ...inviteContract, ...internalContract, ...previousRelease };
const PASSWORD = "phoenix!";
let counter = 0;
const aName = () => `Person${++counter}`;

/** The users that the calls are about, and the thread of owner and friend. */
interface World {
  owner: Account;
  friend: Account;
  threadId: string;
}
interface Account {
  id: string;
  name: string;
  token: string;
  sessionId: string;
  /** Token of the link with which the account invites others. */
  invite: string;
}
type Row = [statuses: Answers, input: (world: World) => CallInput<Endpoint>];

/** Of a browser. The private key does not matter here. */
const KEYS = {
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: Buffer.alloc(16).toString("base64url"),
};

/** Every call, with the input that the owner sends. */
const ROWS: Record<CallsOf<typeof contract>, Row> = {
  register: [FOR_ANYONE, () => ({ body: { name: aName(), password: PASSWORD, avatar_id: "fox-id" } })],
  logIn: [FOR_ANYONE, ({ owner }) => ({ body: { name: owner.name, password: PASSWORD } })],
  logOut: [FOR_ANY_SESSION, () => ({})],
  listSessions: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  endSession: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id, session_id: owner.sessionId } })],
  endSessions: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  changePassword: [
    FOR_THE_OWNER,
    ({ owner }) => ({ params: { user_id: owner.id }, body: { old_password: PASSWORD, new_password: "unicorn!" } }),
  ],
  listUsers: [FOR_ANY_SESSION, () => ({})],
  getUser: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  getProfile: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  changeName: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id }, body: { name: aName() } })],
  changeAvatar: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id }, body: { avatar_id: "cat-id" } })],
  listFriends: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  addFriend: [FOR_THE_OWNER, ({ owner, friend }) => ({ body: { user_id: owner.id, friend_id: friend.id } })],
  lookUpSessions: [FOR_SERVICES, ({ owner }) => ({ body: { tokens: [owner.token] } })],
  changeFriend: [
    FOR_THE_OWNER,
    ({ owner, friend }) => ({ params: { user_id: owner.id, other_id: friend.id }, body: { is_muted: true } }),
  ],
  unfriend: [FOR_THE_OWNER, ({ owner, friend }) => ({ params: { user_id: owner.id, other_id: friend.id } })],
  listBlocked: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  block: [FOR_THE_OWNER, ({ owner, friend }) => ({ params: { user_id: owner.id, other_id: friend.id } })],
  unblock: [FOR_THE_OWNER, ({ owner, friend }) => ({ params: { user_id: owner.id, other_id: friend.id } })],
  getPrivacy: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  changePrivacy: [
    FOR_THE_OWNER,
    ({ owner }) => ({ params: { user_id: owner.id }, body: { who_may_add: "nobody" as const } }),
  ],
  getInvite: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  renewInvite: [FOR_THE_OWNER, ({ owner }) => ({ params: { user_id: owner.id } })],
  findInviter: [FOR_ANY_SESSION, ({ owner }) => ({ params: { token: owner.invite } })],
  getPush: [FOR_ANY_SESSION, () => ({})],
  subscribePush: [
    FOR_ANY_SESSION,
    () => ({ body: { endpoint: `https://localhost/${++counter}`, keys: KEYS, shows_text: false } }),
  ],
  unsubscribePush: [FOR_ANY_SESSION, () => ({})],
  requestPushes: [
    FOR_SERVICES,
    ({ owner, friend, threadId }) => ({
      body: {
        pushes: [{ recipient_user_id: owner.id, sending_user_id: friend.id, thread_id: threadId, text: "hello" }],
      },
    }),
  ],
  listAccessChanges: [FOR_SERVICES, () => ({ body: {} })],
  listEndedSessions: [FOR_SERVICES, () => ({ body: {} })],
  deleteAccount: [
    FOR_THE_OWNER,
    ({ owner }) => ({ params: { user_id: owner.id }, body: { password: PASSWORD, texts: "keep" } }),
  ],
  listDeletions: [FOR_SERVICES, () => ({})],
  finishDeletion: [FOR_SERVICES, ({ owner }) => ({ params: { user_id: owner.id } })],
  getAccountData: [FOR_SERVICES, ({ owner }) => ({ params: { user_id: owner.id } })],
  listFriendshipChanges: [FOR_SERVICES, () => ({ body: {} })],
  getThreadMembers: [FOR_SERVICES, ({ threadId }) => ({ params: { thread_id: threadId } })],
  listThreadsOfUsers: [FOR_SERVICES, ({ owner }) => ({ body: { user_ids: [owner.id] } })],
};

let service: Awaited<ReturnType<typeof serveUsers>>;

beforeAll(async () => {
  service = await serveUsers({}, { push: { allowedHosts: ["localhost"] } });
});
afterAll(() => service.close());

async function registerAccount(): Promise<Account> {
  const body = { name: aName(), password: PASSWORD, avatar_id: "fox-id" };
  const response = await service.call<{ id: string }>("/users", { method: "POST", body });
  const sessions = await service.call<{ id: string }[]>(`/sessions/${response.body.id}`, { cookie: response.cookie });
  const [token = "", sessionId] = [response.cookie.split("=")[1], sessions.body[0]?.id ?? ""];
  const { cookie } = response;
  const invite = await service.call<{ token: string }>(`/users/${response.body.id}/invite`, { cookie });
  return { id: response.body.id, name: body.name, token, sessionId, invite: invite.body.token };
}

/** Returns the token of a second session of the owner that has ended. */
async function endedToken({ owner }: World, how: "expired" | "revoked"): Promise<string> {
  const body = { name: owner.name, password: PASSWORD };
  const { cookie } = await service.call("/login", { method: "POST", body });
  if (how === "revoked") await service.call("/logout", { method: "POST", cookie });
  else {
    const newest = { sort: { created_at: -1 } } as const;
    const past = { $set: { expires_at: new Date(Date.now() - 1) } };
    await service.connection.collection("sessions").findOneAndUpdate({ user_id: owner.id }, past, newest);
  }
  return cookie.split("=")[1] ?? "";
}

async function headersOf(caller: Caller, world: World): Promise<Record<string, string>> {
  if (caller === "nobody") return {};
  if (caller === "service") return internalHeaders(SECRET)();
  const tokenOf = {
    expired: () => endedToken(world, "expired"),
    revoked: () => endedToken(world, "revoked"),
    stranger: async () => (await registerAccount()).token,
    friend: async () => world.friend.token,
    owner: async () => world.owner.token,
  };
  return { cookie: `${contract.SESSION_COOKIE}=${await tokenOf[caller]()}` };
}

async function aWorld(): Promise<World> {
  const [owner, friend] = [await registerAccount(), await registerAccount()];
  const body = { user_id: owner.id, friend_id: friend.id };
  const cookie = `${contract.SESSION_COOKIE}=${owner.token}`;
  const added = await service.call<{ thread_id: string }>("/add_friend", { method: "POST", cookie, body });
  return { owner, friend, threadId: added.body.thread_id };
}

describe.each(endpointsOf(contract))("%s", (name, endpoint) => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld();
  });

  test.each(CALLERS)("responds to %s as the table says", async (caller) => {
    const [statuses, input] = ROWS[name];
    const headers = await headersOf(caller, world);
    const call = createClient({ baseUrl: service.url, headers: () => headers });
    expect(await statusOf(call(endpoint, input(world)))).toBe(statuses[caller]);
  });
});

const changing = endpointsOf(contract).filter(
  ([, { method, path }]) => method !== "GET" && !path.startsWith("/internal/"),
);
describe.each(changing)("%s, which changes data,", (name, endpoint) => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld();
  });

  async function callWith(headers: Record<string, string>): Promise<number> {
    const cookie = `${contract.SESSION_COOKIE}=${world.owner.token}`;
    const call = createClient({ baseUrl: service.url, headers: () => ({ cookie, ...headers }) });
    return statusOf(call(endpoint, ROWS[name][1](world)));
  }

  test.each([
    [403, { origin: "http://evil.example" }],
    [403, { origin: "null" }],
    [403, { "sec-fetch-site": "cross-site" }],
    [415, { "content-type": "text/plain" }],
    [415, { "content-type": "application/x-www-form-urlencoded" }],
  ])("responds %i to %j with the owner's session", async (status, headers) => {
    expect(await callWith(headers)).toBe(status);
  });

  test("accepts a page of its own origin", async () => {
    expect(await callWith({ origin: service.url })).toBe(200);
  });
});
