import { ApiError, type Call } from "@messageoh/contracts/client";
import { type PushRequest, requestPushes } from "@messageoh/contracts/internal/users";
import type { Message } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { messageKey } from "../messages/message.model.ts";
import { createPushRequests } from "./pushRequests.ts";

const DELAY_MS = 5_000;
/** Returns the id of a message that was stored at this time. */
const idAt = (ms: number) => ms.toString(16).padStart(12, "0") + "0".repeat(12);

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

function setUp() {
  const users = { isUp: true, isOn: true, onCall: () => {} };
  const connected = new Set<string>();
  const texts = new Map<string, string>();
  const calls: PushRequest[][] = [];
  const fake = createFakeCall([
    route(requestPushes, ({ body }) => {
      calls.push(body.pushes);
      return { is_on: users.isOn };
    }),
  ]);
  const callUsers: Call = async (endpoint, input) => {
    users.onCall();
    if (!users.isUp) throw new ApiError(0);
    return fake(endpoint, input);
  };
  const requests = createPushRequests({
    callUsers,
    findTexts: async (keys) =>
      new Map(keys.flatMap((key) => (texts.has(key) ? [[key, texts.get(key) as string]] : []))),
    findConnected: async (userIds) => new Set(userIds.filter((userId) => connected.has(userId))),
    delayMs: DELAY_MS,
    logger: silentLogger,
  });
  let seq = 1;
  /** Adds a message: the next one, or the one with the given number again. */
  const add = (text: string, to = "bob", { isRepeat = false, storedAt = Date.now(), again = 0 } = {}) => {
    const message: Message = {
      id: idAt(storedAt),
      client_id: null,
      thread_id: `ann-${to}`,
      seq: again || seq,
      sending_user_id: "ann",
      recipient_user_id: to,
      text,
      timestamp: new Date(storedAt).toISOString(),
      read: false,
    };
    if (again === 0) seq += 1;
    texts.set(messageKey(message.thread_id, message.seq), text);
    requests.add(message, isRepeat);
  };
  return { users, texts, connected, calls, requests, add };
}
const to = (recipient_user_id: string, text: string): PushRequest => ({
  recipient_user_id,
  sending_user_id: "ann",
  thread_id: `ann-${recipient_user_id}`,
  text,
});

it("requests the newest message of each thread once, after the delay", async () => {
  const { calls, add } = setUp();
  add("first");
  await pass(DELAY_MS - 1_000);
  add("second");
  add("hello", "cyd");
  expect(calls).toEqual([]);
  await pass(1_000);
  expect(calls).toEqual([[to("bob", "second")]]);
  await pass(60_000);
  expect(calls).toEqual([[to("bob", "second")], [to("cyd", "hello")]]);
});

it("requests the text that a message has when it is due, and nothing for a deleted one", async () => {
  const { calls, texts, add } = setUp();
  add("before");
  add("secret", "cyd");
  texts.set(messageKey("ann-bob", 1), "after");
  texts.delete(messageKey("ann-cyd", 2));
  await pass(DELAY_MS);
  expect(calls).toEqual([[to("bob", "after")]]);
});

it("requests nothing for users who have connected again", async () => {
  const { calls, connected, add } = setUp();
  add("one");
  add("two", "cyd");
  connected.add("bob");
  await pass(60_000);
  expect(calls).toEqual([[to("cyd", "two")]]);
});

it("retries for a minute while svc-users does not respond", async () => {
  const { calls, users, add } = setUp();
  users.isUp = false;
  add("soon");
  await pass(DELAY_MS + 10_000);
  users.isUp = true;
  await pass(2_000);
  expect(calls).toEqual([[to("bob", "soon")]]);
  users.isUp = false;
  add("too late");
  await pass(DELAY_MS + 62_000);
  users.isUp = true;
  await pass(60_000);
  expect(calls).toHaveLength(1);
});

it("sends at most 200 in a call and keeps 10,000", async () => {
  const { calls, add } = setUp();
  for (let index = 0; index < 10_100; index += 1) add("hello", `user${index}`);
  await pass(DELAY_MS + 1_000);
  expect(calls.every((pushes) => pushes.length <= 200)).toBe(true);
  expect(calls.flat()).toHaveLength(10_000);
});

it("pauses for a minute if svc-users sends no push notifications", async () => {
  const { calls, users, add } = setUp();
  users.isOn = false;
  add("one");
  await pass(DELAY_MS);
  add("two");
  await pass(60_000);
  expect(calls).toHaveLength(1);
  add("three");
  await pass(DELAY_MS);
  expect(calls).toHaveLength(2);
});

it("requests a repeated message only if it was stored in the last minute", async () => {
  const { calls, add } = setUp();
  add("old", "bob", { isRepeat: true, storedAt: Date.now() - 120_000 });
  add("new", "cyd", { isRepeat: true, storedAt: Date.now() - 10_000 });
  await pass(DELAY_MS);
  expect(calls).toEqual([[to("cyd", "new")]]);
});

describe("an older message that is repeated", () => {
  it("does not replace the newer one that waits", async () => {
    const { calls, add } = setUp();
    add("first");
    add("second");
    add("first", "bob", { isRepeat: true, again: 1 });
    await pass(DELAY_MS);
    expect(calls).toEqual([[to("bob", "second")]]);
  });

  it("does not replace the newer one whose call fails meanwhile", async () => {
    const { calls, users, add } = setUp();
    add("first");
    add("second");
    users.isUp = false;
    users.onCall = () => add("first", "bob", { isRepeat: true, again: 1 });
    await pass(DELAY_MS);
    Object.assign(users, { isUp: true, onCall: () => {} });
    await pass(2 * DELAY_MS);
    expect(calls).toEqual([[to("bob", "second")]]);
  });
});

it("shortens a long text without splitting a character", async () => {
  const { calls, add } = setUp();
  add("🦊".repeat(300));
  await pass(DELAY_MS);
  expect(calls[0]?.[0]?.text).toBe("🦊".repeat(200));
});

it("requests everything that waits when the process ends", async () => {
  const { calls, requests, add } = setUp();
  add("last");
  await requests.close();
  expect(calls).toEqual([[to("bob", "last")]]);
  add("after the end");
  await pass(60_000);
  expect(calls).toHaveLength(1);
});
