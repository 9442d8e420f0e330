import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewMessage, StoreResult } from "@messageoh/contracts/messages";
import { FakeUsers, threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { aMessage } from "../../testing/messages.ts";
import { createEvents } from "../messages/events.ts";
import { type MessageRow, messageKey } from "../messages/message.model.ts";
import { createMembers } from "../threads/members.ts";
import { createStore } from "./store.ts";

const FREEZE_MS = 30_000;
/** After this time a caller gives up a call and repeats its messages. */
const CALL_TIMEOUT_MS = 5_000;
const FRIENDS = Array.from({ length: 300 }, (_, index) => `friend${index}`);

beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick"] }));
afterEach(() => jest.useRealTimers());

const rowOf = ({ thread_id, client_id, sending_user_id, recipient_user_id, text }: NewMessage): MessageRow => ({
  _id: messageKey(thread_id, 1),
  id: `id of ${text}`,
  client_id,
  thread_id,
  seq: 1,
  sending_user_id,
  recipient_user_id,
  text,
  timestamp: new Date(),
});
const isStored = (result: StoreResult) => "message" in result;

it("writes and publishes each message once after the database froze while the caller repeated its calls", async () => {
  const { promise: thaw, resolve: end } = Promise.withResolvers<void>();
  const written: string[] = [];
  const published: string[] = [];
  const storeBatch = async (batch: readonly NewMessage[]) => {
    await thaw;
    written.push(...batch.map(({ text }) => text));
    return batch.map((message) => ({ row: rowOf(message), isRepeat: false }));
  };
  const users = new FakeUsers(FRIENDS.map((friend) => threadBetween("ann", friend)));
  const events = createEvents((all) => published.push(...all.map(([channel]) => channel)));
  const store = createStore(createMembers(users.call), storeBatch, async () => null, events, silentLogger);
  const messages = FRIENDS.map((friend) =>
    aMessage({ thread_id: `ann-${friend}`, recipient_user_id: friend, text: friend, client_id: friend }),
  );

  const calls: Promise<StoreResult[]>[] = [];
  for (let ms = 0; ms < FREEZE_MS; ms += CALL_TIMEOUT_MS) {
    calls.push(store(messages));
    await nextTurn();
    await jest.advanceTimersByTimeAsync(CALL_TIMEOUT_MS);
  }
  end();
  const results = await Promise.all(calls);
  expect(written.toSorted()).toEqual([...new Set(written)].sort());
  expect(published.filter((channel) => channel !== "user:ann").toSorted()).toEqual(
    written.map((friend) => `user:${friend}`).sort(),
  );
  expect(results.flat().filter(isStored)).toHaveLength(written.length);
  // The rest was given up in time, and the next call stores everything.
  expect((await store(messages)).every(isStored)).toBe(true);
});
