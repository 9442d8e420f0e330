import * as changes from "@messageoh/contracts/changes";
import { type Call, createClient } from "@messageoh/contracts/client";
import type { CallInput, Endpoint } from "@messageoh/contracts/endpoint";
import * as internal from "@messageoh/contracts/internal/messages";
import * as messages from "@messageoh/contracts/messages";
import * as previousRelease from "@messageoh/contracts/previousRelease/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { SESSION_COOKIE } from "@messageoh/contracts/users";
import { internalHeaders } from "@messageoh/service-kit/internal";
import {
  type Answers,
  CALLERS,
  type Caller,
  FOR_FRIENDS,
  FOR_SERVICES,
  FOR_THE_OWNER,
  statusOf,
} from "@messageoh/service-kit/testing/authorisation";
import { type CallsOf, endpointsOf } from "@messageoh/service-kit/testing/contracts";
import { aMessage } from "../testing/messages.ts";
import { TEST_SECRET as SECRET, serveMessages, type TestService } from "../testing/service.ts";

const contract = { ...messages, ...changes, ...internal, ...previousRelease };
const NOW = new Date().toISOString();
const thread = threadBetween("owner", "friend");
const params = { user_id: "owner" };
const message = aMessage({
  thread_id: thread.thread_id,
  sending_user_id: "owner",
  recipient_user_id: "friend",
});
const marker = { kind: "read", thread_id: thread.thread_id, user_id: "owner", seq: 1, request_id: "r" };
const ofMessage = (seq: number) => ({ ...params, thread_id: thread.thread_id, seq });
type Row = [answers: Answers, input: CallInput<Endpoint>];

/** Calls of the owner to each endpoint; several if the query changes the access rule. */
const ROWS: Record<CallsOf<typeof contract>, Row[]> = {
  listMessages: [
    [FOR_THE_OWNER, { params }],
    [FOR_THE_OWNER, { params, query: { thread_id: thread.thread_id } }],
    [FOR_THE_OWNER, { params, query: { search: "hello" } }],
  ],
  exportData: [[FOR_THE_OWNER, { params }]],
  listThreads: [[FOR_THE_OWNER, { params }]],
  updateMessageRead: [[FOR_FRIENDS, { body: { thread_id: thread.thread_id } }]],
  editMessage: [[FOR_THE_OWNER, { params: ofMessage(1), body: { text: "new", op_id: "op", base: 0 } }]],
  deleteMessage: [[FOR_THE_OWNER, { params: ofMessage(2) }]],
  reactToMessage: [[FOR_THE_OWNER, { params: ofMessage(1), body: { emoji: "👍" } }]],
  hideMessage: [[FOR_THE_OWNER, { params: ofMessage(2), body: { hidden: true } }]],
  pinMessage: [[FOR_THE_OWNER, { params: ofMessage(1), body: { pinned: true } }]],
  starMessage: [[FOR_THE_OWNER, { params: ofMessage(1), body: { starred: true } }]],
  listStarred: [[FOR_THE_OWNER, { params }]],
  saveDraft: [[FOR_THE_OWNER, { params: { ...params, thread_id: thread.thread_id }, body: { text: "draft" } }]],
  listEdits: [[FOR_THE_OWNER, { params: ofMessage(1) }]],
  listAttached: [[FOR_SERVICES, { body: { media: [{ thread_id: thread.thread_id, media_id: "file" }] } }]],
  listBetween: [[FOR_SERVICES, { body: { thread_id: thread.thread_id, after: 0, before: 2 } }]],
  storeMessages: [[FOR_SERVICES, { body: { messages: [message] } }]],
  moveMarkers: [[FOR_SERVICES, { body: { markers: [marker] } }]],
  listRecentMessages: [[FOR_SERVICES, { body: { user_ids: ["owner"], since: NOW } }]],
  listMissedMessages: [[FOR_SERVICES, { body: { user_ids: ["owner"], ranges: [["0", "f"]] } }]],
};

/** User names of the sessions that svc-users knows, by token. */
const sessionUsers = new Map<string, string>();
let counter = 0;

const users = new FakeUsers([thread]);
users.nameOf = (token) => sessionUsers.get(token);

let service: TestService;

beforeAll(async () => {
  service = await serveMessages(users);
  const body = { messages: [message, { ...message, client_id: "other" }] };
  await clientOf(internalHeaders(SECRET)())(contract.storeMessages, { body });
});
afterAll(() => service.close());
beforeEach(() => {
  sessionUsers.clear();
  service.sessions.clear();
});

/** Returns a client that sends these headers. */
function clientOf(headers: Record<string, string>): Call {
  return createClient({ baseUrl: service.url, headers: () => headers });
}

async function callAs(caller: Caller): Promise<Call> {
  if (caller === "nobody") return clientOf({});
  if (caller === "service") return clientOf(internalHeaders(SECRET)());
  // Each call gets a new session, because an ended one cannot be used again.
  counter += 1;
  const token = `TOKEN-${counter}`;
  const client = clientOf({ cookie: `${SESSION_COOKIE}=${token}` });
  if (caller === "revoked") {
    // The session is cached before it ends.
    sessionUsers.set(token, "owner");
    await client(contract.listThreads, { params });
    sessionUsers.clear();
    service.sessions.forget(`session-${counter}`);
  } else if (caller !== "expired") {
    sessionUsers.set(token, caller);
  }
  return client;
}

describe.each(endpointsOf(contract))("%s", (name, endpoint) => {
  test.each(CALLERS)("responds to %s as the table says", async (caller) => {
    expect(ROWS[name].length).toBeGreaterThan(0);
    for (const [answers, input] of ROWS[name]) {
      const call = await callAs(caller);
      expect([input, await statusOf(call(endpoint, input))]).toEqual([input, answers[caller]]);
    }
  });
});

test("rejects a thread of others in a call with the caller's own user id", async () => {
  const call = await callAs("stranger");
  const input = { params: { user_id: "stranger" }, query: { thread_id: thread.thread_id } };
  expect(await statusOf(call(contract.listMessages, input))).toBe(403);
});

test.each([
  [403, { origin: "http://evil.example" }],
  [403, { "sec-fetch-site": "cross-site" }],
  [415, { "content-type": "text/plain" }],
  [200, {}],
])("responds %i to a change with the headers %j and the owner's session", async (status, headers) => {
  sessionUsers.set("TOKEN-owner", "owner");
  const call = clientOf({ cookie: `${SESSION_COOKIE}=TOKEN-owner`, ...headers });
  expect(await statusOf(call(contract.updateMessageRead, { body: { thread_id: thread.thread_id } }))).toBe(status);
});
