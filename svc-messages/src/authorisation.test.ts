import { type Call, createClient } from "@messageoh/contracts/client";
import type { CallInput, Endpoint } from "@messageoh/contracts/endpoint";
import * as contract from "@messageoh/contracts/messages";
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
import { openTestDatabase, silentLogger } from "@messageoh/service-kit/testing/engines";
import { serveForTest } from "@messageoh/service-kit/testing/http";
import { aMessage } from "../testing/messages.ts";
import { generousLimits } from "../testing/rateLimits.ts";
import { createApp } from "./app.ts";

const SECRET = "a secret of sixteen characters";
const NOW = new Date().toISOString();
const thread = threadBetween("owner", "friend");
const params = { user_id: "owner" };
const message = aMessage({
  thread_id: thread.thread_id,
  sending_user_id: "owner",
  recipient_user_id: "friend",
});
const marker = { kind: "read", thread_id: thread.thread_id, user_id: "owner", seq: 1, request_id: "r" };
type Row = [answers: Answers, input: CallInput<Endpoint>];

/** Every call, as the owner would make it; several where its query decides what it is about. */
const ROWS: Record<CallsOf<typeof contract>, Row[]> = {
  listMessages: [
    [FOR_THE_OWNER, { params }],
    [FOR_THE_OWNER, { params, query: { thread_id: thread.thread_id } }],
    [FOR_THE_OWNER, { params, query: { search: "hello" } }],
  ],
  listThreads: [[FOR_THE_OWNER, { params }]],
  updateMessageRead: [[FOR_FRIENDS, { body: { thread_id: thread.thread_id } }]],
  storeMessages: [[FOR_SERVICES, { body: { messages: [message] } }]],
  moveMarkers: [[FOR_SERVICES, { body: { markers: [marker] } }]],
  listBetween: [[FOR_SERVICES, { body: { thread_id: thread.thread_id, after: 0, before: 2 } }]],
  listRecentMessages: [[FOR_SERVICES, { body: { user_ids: ["owner"], since: NOW } }]],
};

/** Sessions that svc-users knows, by token. */
const living = new Map<string, string>();
let counter = 0;

const users = new FakeUsers([thread]);
users.nameOf = (token) => living.get(token);

let service: Awaited<ReturnType<typeof serveForTest>>;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let app: Awaited<ReturnType<typeof createApp>>;

beforeAll(async () => {
  database = await openTestDatabase();
  app = await createApp({
    connection: database.connection,
    publish: () => undefined,
    callUsers: users.call,
    logger: silentLogger,
    internalSecret: SECRET,
    limits: generousLimits(),
    isReady: () => true,
  });
  service = await serveForTest(app.app.callback());
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(() => {
  living.clear();
  app.sessions.clear();
});

/** A client with the caller's headers. */
function clientOf(headers: Record<string, string>): Call {
  return createClient({ baseUrl: service.url, headers: () => headers });
}

async function callAs(caller: Caller): Promise<Call> {
  if (caller === "nobody") return clientOf({});
  if (caller === "service") return clientOf(internalHeaders(SECRET)());
  // A session of its own for each call: one that has ended never comes back.
  counter += 1;
  const token = `TOKEN-${counter}`;
  const client = clientOf({ cookie: `${SESSION_COOKIE}=${token}` });
  if (caller === "revoked") {
    // It was good here a moment ago, and is remembered until the bus tells of its end.
    living.set(token, "owner");
    await client(contract.listThreads, { params });
    living.clear();
    app.sessions.forget(`session-${counter}`);
  } else if (caller !== "expired") {
    living.set(token, caller);
  }
  return client;
}

describe.each(endpointsOf(contract))("%s", (name, endpoint) => {
  test.each(CALLERS)("answers %s as the table says", async (caller) => {
    expect(ROWS[name].length).toBeGreaterThan(0);
    for (const [answers, input] of ROWS[name]) {
      const call = await callAs(caller);
      expect([input, await statusOf(call(endpoint, input))]).toEqual([input, answers[caller]]);
    }
  });
});

test("a stranger gets no other's thread by naming an id of their own", async () => {
  const call = await callAs("stranger");
  const input = { params: { user_id: "stranger" }, query: { thread_id: thread.thread_id } };
  expect(await statusOf(call(contract.listMessages, input))).toBe(403);
});

test.each([
  [403, { origin: "http://evil.example" }],
  [403, { "sec-fetch-site": "cross-site" }],
  [415, { "content-type": "text/plain" }],
  [200, {}],
])("a change answers %i to %j with the owner's own session", async (status, headers) => {
  living.set("TOKEN-owner", "owner");
  const call = clientOf({ cookie: `${SESSION_COOKIE}=TOKEN-owner`, ...headers });
  expect(await statusOf(call(contract.updateMessageRead, { body: { thread_id: thread.thread_id } }))).toBe(status);
});
