import { ApiError, type Call } from "@messageoh/contracts/client";
import type { Message, NewMessage, StoreResult } from "@messageoh/contracts/messages";
import { BatcherBusy } from "@messageoh/service-kit/batcher";
import { silentLogger } from "@messageoh/service-kit/testing/engines";
import { createForwarder } from "./forwarder.ts";
import { createMessagesService } from "./messagesService.ts";

const settle = (ms = 10) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const stored = ({ thread_id, text }: NewMessage): StoreResult => ({ message: { thread_id, text } as Message });

/** A forwarder, and svc-messages instances that answer as the test says. */
async function aForwarder(urls = ["http://a"]) {
  const state = {
    answer: (_url: string, message: NewMessage): StoreResult => stored(message),
    /** Whether the last result of each batch is missing. */
    isShort: false,
    /** Instances that fail every call. */
    failing: new Set<string>(),
    /** Instances that answer nothing until they are released. */
    frozen: new Map<string, Promise<void>>(),
    batches: [] as { url: string; texts: string[] }[],
    stuck: [] as boolean[],
  };
  const clientOf = (url: string) =>
    (async (_: unknown, { body }: { body: { messages: NewMessage[] } }) => {
      state.batches.push({ url, texts: body.messages.map(({ text }) => text) });
      await state.frozen.get(url);
      if (state.failing.has(url)) throw new ApiError(503);
      const messages = state.isShort ? body.messages.slice(1) : body.messages;
      return { results: messages.map((message) => state.answer(url, message)) };
    }) as unknown as Call;
  const service = createMessagesService({
    discover: async () => urls,
    clientOf,
    probe: async (url) => !state.failing.has(url),
    logger: silentLogger,
  });
  await service.start();
  const forwarder = createForwarder(service, silentLogger, (isStuck) => state.stuck.push(isStuck));
  const outcomes: string[] = [];
  const send = (text: string, thread_id = "ann-bob", sending_user_id = "ann") => {
    const message = {
      client_id: text,
      thread_id,
      sending_user_id,
      recipient_user_id: "bob",
      text,
    } as NewMessage;
    forwarder.send(message).then(
      (result) => outcomes.push("error" in result ? `${text}: ${result.error}` : text),
      (error) => outcomes.push(`${text}: ${error instanceof BatcherBusy ? "busy" : error}`),
    );
  };
  return { forwarder, service, state, send, outcomes };
}

/** A thread that the instance owns. */
const threadOf = (service: { ownerOf: (threadId: string) => string }, url: string, index = 0): string =>
  Array.from({ length: 100 }, (_, count) => `thread-${count}`).filter((id) => service.ownerOf(id) === url)[index] ?? "";

it("sends what comes at once as one batch, in order, and resolves each message with its own result", async () => {
  const { forwarder, service, state, send, outcomes } = await aForwarder();
  state.answer = (_, message) =>
    message.text === "b" ? { error: "You can only write to your friends" } : stored(message);
  for (const text of ["a", "b", "c"]) send(text);
  expect(forwarder.isIdle()).toBe(false);
  await settle();
  expect(state.batches).toEqual([{ url: "http://a", texts: ["a", "b", "c"] }]);
  expect(outcomes).toEqual(["a", "b: You can only write to your friends", "c"]);
  expect(forwarder.isIdle()).toBe(true);
  service.close();
});

it("holds back only the thread of a message that is to be sent again, and keeps its order", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  let isRefused = true;
  state.answer = (_, message) => (message.thread_id === "held" && isRefused ? { retry: true } : stored(message));
  send("held 1", "held");
  send("held 2", "held");
  send("free 1", "free");
  await settle(300);
  send("free 2", "free");
  send("held 3", "held");
  await settle();
  expect(outcomes).toEqual(["free 1", "free 2"]);
  isRefused = false;
  await settle(2_000);
  expect(outcomes.slice(2)).toEqual(["held 1", "held 2", "held 3"]);
  expect(state.stuck).toEqual([]);
  service.close();
});

it("sends a failing instance's messages to another one", async () => {
  const { service, state, send, outcomes } = await aForwarder(["http://a", "http://b"]);
  const [onA, onB] = [threadOf(service, "http://a"), threadOf(service, "http://b")];
  state.failing.add("http://a");
  send("1", onA);
  send("2", onB);
  await settle(200);
  expect(outcomes.toSorted()).toEqual(["1", "2"]);
  expect(state.batches.at(-1)).toEqual({ url: "http://b", texts: ["1"] });
  state.failing.clear();
  await settle(1_500);
  send("3", onA);
  await settle();
  expect(state.batches.at(-1)).toEqual({ url: "http://a", texts: ["3"] });
  service.close();
});

it("does not let one instance's threads wait for another that does not answer", async () => {
  const { service, state, send, outcomes } = await aForwarder(["http://a", "http://b"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.frozen.set("http://a", promise);
  send("frozen", threadOf(service, "http://a"));
  await settle();
  for (const [index, text] of ["1", "2", "3"].entries()) send(text, threadOf(service, "http://b", index));
  await settle();
  expect(outcomes).toEqual(["1", "2", "3"]);
  resolve();
  await settle();
  expect(outcomes).toEqual(["1", "2", "3", "frozen"]);
  service.close();
});

it("sends a batch again whose number of results does not fit", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  state.isShort = true;
  send("a");
  send("b");
  await settle();
  expect(outcomes).toEqual([]);
  state.isShort = false;
  await settle(1_000);
  expect(outcomes).toEqual(["a", "b"]);
  service.close();
});

it("says that it is stuck once nothing was stored for two seconds, and when that is over", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  state.failing.add("http://a");
  send("a");
  await settle(1_900);
  expect(state.stuck).toEqual([]);
  await settle(3_000);
  expect(new Set(state.stuck)).toEqual(new Set([true]));
  state.failing.clear();
  await settle(2_100);
  expect(outcomes).toEqual(["a"]);
  expect(state.stuck.at(-1)).toBe(false);
  service.close();
});

it("gives up a message and those behind it in its thread when they waited for too long", async () => {
  const { forwarder, service, state, send, outcomes } = await aForwarder();
  state.answer = (_, message) => (message.thread_id === "held" ? { retry: true } : stored(message));
  send("held 1", "held");
  await settle(10_000);
  send("held 2", "held");
  send("free", "free");
  await settle(8_000);
  expect(outcomes).toEqual(["free", "held 1: busy", "held 2: busy"]);
  expect(forwarder.isIdle()).toBe(true);
  service.close();
});

it("sends messages of known threads at once while others send 3,000 a second to threads that nobody can look up", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  state.answer = (_, message) => (message.thread_id.startsWith("unknown") ? { retry: true } : stored(message));
  for (let count = 0; count < 7_500; count += 1) {
    send(`unknown ${count}`, `unknown-${count}`, `eve-${count % 50}`);
    if (count % 30 > 0) continue;
    send(`known ${count}`);
    await settle();
    expect(outcomes).toContain(`known ${count}`);
  }
  service.close();
});

it("refuses what comes while too much waits, and takes messages again afterwards", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.frozen.set("http://a", promise);
  for (let count = 0; count < 5_001; count += 1) send(`${count}`, `thread-${count % 500}`);
  await settle();
  expect(outcomes).toEqual(["5000: busy"]);
  resolve();
  await settle(3_000);
  expect(outcomes).toHaveLength(5_001);
  send("after");
  await settle();
  expect(outcomes.at(-1)).toBe("after");
  service.close();
});
