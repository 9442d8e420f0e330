import { ApiError } from "@messageoh/contracts/client";
import { type NewMessage, type StoreResult, storeMessages } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { BatcherBusy } from "@messageoh/service-kit/batcher";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { aMessage, aNewMessage } from "../../testing/messages.ts";
import { createForwarder } from "./forwarder.ts";
import { createMessagesService } from "./messagesService.ts";

const advance = (ms = 10) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const stored = ({ thread_id, text }: NewMessage): StoreResult => ({ message: aMessage({ thread_id, text }) });

/** Returns a forwarder and svc-messages instances that respond as the test defines. */
async function aForwarder(urls = ["http://a"]) {
  const state = {
    resultOf: (message: NewMessage): StoreResult => stored(message),
    /** Whether one result of each batch is missing. */
    isShort: false,
    /** Instances that fail every call. */
    failing: new Set<string>(),
    /** Instances that respond only after the promise resolves. */
    frozen: new Map<string, Promise<void>>(),
    batches: [] as { url: string; texts: string[] }[],
    stalled: [] as boolean[],
  };
  const clientOf = (url: string) =>
    createFakeCall([
      route(storeMessages, async ({ body }) => {
        state.batches.push({ url, texts: body.messages.map(({ text }) => text) });
        await state.frozen.get(url);
        if (state.failing.has(url)) throw new ApiError(503);
        const messages = state.isShort ? body.messages.slice(1) : body.messages;
        return { results: messages.map((message) => state.resultOf(message)) };
      }),
    ]);
  const service = createMessagesService({
    discover: async () => urls,
    clientOf,
    probe: async (url) => !state.failing.has(url),
    logger: silentLogger,
  });
  await service.start();
  const forwarder = createForwarder(service, silentLogger, {
    onStalledChange: (isStalled) => state.stalled.push(isStalled),
  });
  const outcomes: string[] = [];
  const send = (text: string, thread_id = "ann-bob", sending_user_id = "ann") => {
    forwarder.send(aNewMessage({ client_id: text.replaceAll(" ", "-"), thread_id, sending_user_id, text })).then(
      (result) => outcomes.push("error" in result ? `${text}: ${result.error}` : text),
      (error) => outcomes.push(`${text}: ${error instanceof BatcherBusy ? "busy" : error}`),
    );
  };
  return { forwarder, service, state, send, outcomes };
}

/** Returns the id of a thread that the instance owns. */
const threadOf = (service: { ownerOf: (threadId: string) => string }, url: string, index = 0): string =>
  Array.from({ length: 100 }, (_, count) => `thread-${count}`).filter((id) => service.ownerOf(id) === url)[index] ?? "";

it("sends messages that arrive together as one ordered batch, and resolves each with its own result", async () => {
  const { forwarder, service, state, send, outcomes } = await aForwarder();
  state.resultOf = (message) =>
    message.text === "b" ? { error: "You can only write to your friends" } : stored(message);
  for (const text of ["a", "b", "c"]) send(text);
  expect(forwarder.isIdle()).toBe(false);
  await advance();
  expect(state.batches).toEqual([{ url: "http://a", texts: ["a", "b", "c"] }]);
  expect(outcomes).toEqual(["a", "b: You can only write to your friends", "c"]);
  expect(forwarder.isIdle()).toBe(true);
  service.close();
});

it("holds only the thread of a message that is to be retried, and keeps its order", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  let isRetried = true;
  state.resultOf = (message) => (message.thread_id === "held" && isRetried ? { retry: true } : stored(message));
  send("held 1", "held");
  send("held 2", "held");
  send("free 1", "free");
  await advance(300);
  send("free 2", "free");
  send("held 3", "held");
  await advance();
  expect(outcomes).toEqual(["free 1", "free 2"]);
  isRetried = false;
  await advance(2_000);
  expect(outcomes.slice(2)).toEqual(["held 1", "held 2", "held 3"]);
  expect(state.stalled).toEqual([]);
  service.close();
});

it("sends the messages of a failing instance to another one", async () => {
  const { service, state, send, outcomes } = await aForwarder(["http://a", "http://b"]);
  const [onA, onB] = [threadOf(service, "http://a"), threadOf(service, "http://b")];
  state.failing.add("http://a");
  send("1", onA);
  send("2", onB);
  await advance(200);
  expect(outcomes.toSorted()).toEqual(["1", "2"]);
  expect(state.batches.at(-1)).toEqual({ url: "http://b", texts: ["1"] });
  state.failing.clear();
  await advance(1_500);
  send("3", onA);
  await advance();
  expect(state.batches.at(-1)).toEqual({ url: "http://a", texts: ["3"] });
  service.close();
});

it("does not delay the threads of one instance while another does not respond", async () => {
  const { service, state, send, outcomes } = await aForwarder(["http://a", "http://b"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.frozen.set("http://a", promise);
  send("frozen", threadOf(service, "http://a"));
  await advance();
  for (const [index, text] of ["1", "2", "3"].entries()) send(text, threadOf(service, "http://b", index));
  await advance();
  expect(outcomes).toEqual(["1", "2", "3"]);
  resolve();
  await advance();
  expect(outcomes).toEqual(["1", "2", "3", "frozen"]);
  service.close();
});

it("retries a batch with a missing result", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  state.isShort = true;
  send("a");
  send("b");
  await advance();
  expect(outcomes).toEqual([]);
  state.isShort = false;
  await advance(1_000);
  expect(outcomes).toEqual(["a", "b"]);
  service.close();
});

it("reports that storing is stalled after two seconds without a stored message, and when it recovers", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  state.failing.add("http://a");
  send("a");
  await advance(1_900);
  expect(state.stalled).toEqual([]);
  await advance(3_000);
  expect(new Set(state.stalled)).toEqual(new Set([true]));
  state.failing.clear();
  await advance(2_100);
  expect(outcomes).toEqual(["a"]);
  expect(state.stalled.at(-1)).toBe(false);
  service.close();
});

it("rejects a message and the later ones of its thread after the longest wait", async () => {
  const { forwarder, service, state, send, outcomes } = await aForwarder();
  state.resultOf = (message) => (message.thread_id === "held" ? { retry: true } : stored(message));
  send("held 1", "held");
  await advance(10_000);
  send("held 2", "held");
  send("free", "free");
  await advance(8_000);
  expect(outcomes).toEqual(["free", "held 1: busy", "held 2: busy"]);
  expect(forwarder.isIdle()).toBe(true);
  service.close();
});

it("sends messages of known threads at once while 3,000 messages per second to unknown threads are retried", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  state.resultOf = (message) => (message.thread_id.startsWith("unknown") ? { retry: true } : stored(message));
  for (let count = 0; count < 7_500; count += 1) {
    send(`unknown ${count}`, `unknown-${count}`, `eve-${count % 50}`);
    if (count % 30 > 0) continue;
    send(`known ${count}`);
    await advance();
    expect(outcomes).toContain(`known ${count}`);
  }
  service.close();
});

it("rejects messages while the queue is full, and accepts them afterwards", async () => {
  const { service, state, send, outcomes } = await aForwarder();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.frozen.set("http://a", promise);
  for (let count = 0; count < 5_001; count += 1) send(`${count}`, `thread-${count % 500}`);
  await advance();
  expect(outcomes).toEqual(["5000: busy"]);
  resolve();
  await advance(3_000);
  expect(outcomes).toHaveLength(5_001);
  send("after");
  await advance();
  expect(outcomes.at(-1)).toBe("after");
  service.close();
});
