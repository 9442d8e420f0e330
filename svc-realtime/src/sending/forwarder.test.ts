import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { StreamStoreResult } from "@messageoh/contracts/messageStream";
import { aNewMessage } from "@messageoh/contracts/testing/messages";
import { Busy } from "@messageoh/service-kit/busy";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { FakeStreams } from "../../testing/fakeStreams.ts";
import { aMessage } from "../../testing/messages.ts";
import { createForwarder } from "./forwarder.ts";
import { createMessagesService, type MessagesService } from "./messagesService.ts";

const advance = (ms = 10) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const stored = ({ thread_id, text }: NewMessage): StreamStoreResult => ({ message: aMessage({ thread_id, text }) });

/** Returns a forwarder and svc-messages instances that respond as the test defines. */
async function aForwarder(urls = ["http://a"]) {
  const streams = new FakeStreams();
  const state = {
    resultOf: (message: NewMessage): StreamStoreResult => stored(message),
    /** Threads whose messages get no result. */
    hung: new Set<string>(),
    /** Changes of whether storing is stalled. */
    stalled: [] as boolean[],
  };
  streams.resultsOf = ({ messages }) =>
    messages
      .filter(([, { thread_id }]) => !state.hung.has(thread_id))
      .map(([number, message]) => [number, state.resultOf(message)]);
  const service = createMessagesService({
    discover: async () => urls,
    clientOf: () => () => Promise.reject(new Error("No call expected")),
    openStream: streams.open,
    onBeat: () => undefined,
    logger: silentLogger,
  });
  const forwarder = createForwarder(service.store, () => undefined);
  const checks = setInterval(() => {
    const isStalled = forwarder.isStalled();
    if (isStalled !== (state.stalled.at(-1) ?? false)) state.stalled.push(isStalled);
  }, 250);
  await service.start();
  const outcomes: string[] = [];
  const send = (text: string, thread_id = "ann-bob", sending_user_id = "ann") => {
    forwarder.send(aNewMessage({ client_id: text.replaceAll(" ", "-"), thread_id, sending_user_id, text })).then(
      (result) => outcomes.push("error" in result ? `${text}: ${result.error}` : text),
      (error) => outcomes.push(`${text}: ${error instanceof Busy ? "busy" : error}`),
    );
  };
  /** Returns the texts that an instance received, by frame. */
  const received = (of: string) =>
    streams.frames.filter(({ url }) => url === of).map(({ frame }) => frame.messages.map(([, { text }]) => text));
  const close = () => {
    clearInterval(checks);
    service.close();
  };
  return { forwarder, service, streams, state, send, outcomes, received, close };
}

/** Returns the id of a thread that the instance owns. */
const threadOf = (service: MessagesService, url: string, index = 0): string =>
  Array.from({ length: 100 }, (_, count) => `thread-${count}`).filter((id) => service.ownerOf(id)?.url === url)[
    index
  ] ?? "";

it("sends the messages of a thread one after the other, and resolves each with its own result", async () => {
  const { forwarder, state, send, outcomes, received, close } = await aForwarder();
  state.resultOf = (message) =>
    message.text === "b" ? { error: "You can only write to your friends" } : stored(message);
  for (const text of ["a", "b", "c"]) send(text);
  expect(forwarder.isIdle()).toBe(false);
  await advance();
  expect(received("http://a")).toEqual([["a"], ["b"], ["c"]]);
  expect(outcomes).toEqual(["a", "b: You can only write to your friends", "c"]);
  expect(forwarder.isIdle()).toBe(true);
  close();
});

it("sends the messages of several threads in one frame, and resolves one that is stored before the others", async () => {
  const { state, send, outcomes, received, close } = await aForwarder();
  state.hung.add("hung");
  send("1", "hung");
  send("2", "free");
  send("3", "other");
  await advance();
  expect(received("http://a")).toEqual([["1", "2", "3"]]);
  expect(outcomes).toEqual(["2", "3"]);
  close();
});

it("holds only the thread of a message that must be retried, and keeps its order", async () => {
  const { state, send, outcomes, close } = await aForwarder();
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
  close();
});

it("sends the unfinished messages of a failed instance to another one", async () => {
  const { service, streams, send, outcomes, received, close } = await aForwarder(["http://a", "http://b"]);
  const [onA, onB] = [threadOf(service, "http://a"), threadOf(service, "http://b")];
  streams.silent.add("http://a");
  send("1", onA);
  send("2", onB);
  await advance();
  streams.refusing.add("http://a");
  streams.fail("http://a");
  await advance(200);
  expect(outcomes.toSorted()).toEqual(["1", "2"]);
  expect(received("http://b")).toEqual([["2"], ["1"]]);
  streams.refusing.clear();
  streams.silent.clear();
  await advance(1_500);
  send("3", onA);
  await advance();
  expect(received("http://a").at(-1)).toEqual(["3"]);
  close();
});

it("sends a message again that has no result after five seconds, and ignores a late one", async () => {
  const { state, streams, send, outcomes, received, close } = await aForwarder();
  state.hung.add("ann-bob");
  send("a");
  send("b");
  await advance();
  expect(received("http://a")).toEqual([["a"]]);
  state.hung.clear();
  await advance(5_500);
  expect(received("http://a").slice(1)).toEqual([["a"], ["b"]]);
  streams.send("http://a", { results: [[1, { error: "late" }]] });
  expect(outcomes).toEqual(["a", "b"]);
  close();
});

it("reports that storing is stalled after two seconds without a stored message, and when it recovers", async () => {
  const { state, send, outcomes, close } = await aForwarder();
  state.resultOf = () => ({ retry: true });
  send("a");
  await advance(1_900);
  expect(state.stalled).toEqual([]);
  await advance(3_000);
  expect(state.stalled).toEqual([true]);
  state.resultOf = stored;
  await advance(2_500);
  expect(outcomes).toEqual(["a"]);
  expect(state.stalled).toEqual([true, false]);
  close();
});

it.each<[string, Partial<NewMessage>]>([
  ["an attachment", { attachments: ["media-id"] }],
  ["a link preview", { preview: "preview-id" }],
  ["a forwarded message", { forward_of: { thread_id: "ann-cyd", seq: 1 } }],
])("does not report a message that waits for what it names by reference: %s", async (_, parts) => {
  const { forwarder, state, close } = await aForwarder();
  state.resultOf = () => ({ retry: true });
  const sent = forwarder.send(aNewMessage(parts)).catch((error) => error);
  await advance(20_000);
  expect(await sent).toBeInstanceOf(Busy);
  expect(state.stalled).toEqual([]);
  close();
});

it("does not report one failure after an hour of silence", async () => {
  const { state, send, outcomes, close } = await aForwarder();
  state.resultOf = () => ({ retry: true });
  send("a");
  await advance(300);
  state.resultOf = stored;
  await advance(3_600_000);
  state.resultOf = () => ({ retry: true });
  send("b");
  await advance(500);
  state.resultOf = stored;
  await advance(1_000);
  expect(outcomes).toEqual(["a", "b"]);
  expect(state.stalled).toEqual([]);
  close();
});

it("rejects a message and the later ones of its thread after the longest wait", async () => {
  const { forwarder, state, send, outcomes, close } = await aForwarder();
  state.resultOf = (message) => (message.thread_id === "held" ? { retry: true } : stored(message));
  send("held 1", "held");
  await advance(10_000);
  send("held 2", "held");
  send("free", "free");
  await advance(7_500);
  expect(outcomes).toEqual(["free", "held 1: busy", "held 2: busy"]);
  expect(forwarder.isIdle()).toBe(true);
  close();
});

it("accepts 500 messages of one sender at a time, and those of others", async () => {
  const { state, send, outcomes, close } = await aForwarder();
  state.resultOf = () => ({ retry: true });
  for (let count = 0; count < 501; count += 1) send(`${count}`, `thread-${count % 7}`, "eve");
  await advance();
  expect(outcomes).toEqual(["500: busy"]);
  state.resultOf = stored;
  send("other");
  await advance();
  expect(outcomes).toEqual(["500: busy", "other"]);
  await advance(3_000);
  expect(outcomes).toHaveLength(502);
  close();
});

it("rejects messages while 10,000 wait, and accepts them afterwards", async () => {
  const { state, send, outcomes, close } = await aForwarder();
  state.resultOf = () => ({ retry: true });
  for (let count = 0; count < 10_001; count += 1) send(`${count}`, `thread-${count % 500}`, `user-${count % 50}`);
  await advance();
  expect(outcomes).toEqual(["10000: busy"]);
  state.resultOf = stored;
  await advance(5_000);
  expect(outcomes).toHaveLength(10_001);
  send("after");
  await advance();
  expect(outcomes.at(-1)).toBe("after");
  close();
});
