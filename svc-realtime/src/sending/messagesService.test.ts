import { endpoint } from "@messageoh/contracts/endpoint";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { aNewMessage } from "@messageoh/contracts/testing/messages";
import { createLogger } from "@messageoh/service-kit/logger";
import { readMetrics } from "@messageoh/service-kit/metrics";
import { parseMetrics, sumOf } from "@messageoh/service-kit/testing/metrics";
import * as v from "valibot";
import { FakeStreams } from "../../testing/fakeStreams.ts";
import { createMessagesService } from "./messagesService.ts";

const THREADS = Array.from({ length: 3_000 }, (_, index) => `thread-${index}`);
/** Longer than the interval between two discoveries. */
const REFRESH_MS = 1_300;
/** A call to which an instance responds with its own URL. */
const whoAmI = endpoint({ method: "GET", path: "/whoami", response: v.object({ url: v.string() }) });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Returns a service whose instances run and fail as the test defines. */
async function aService(urls: string[]) {
  const streams = new FakeStreams();
  const state = { urls };
  const warnings: string[] = [];
  const service = createMessagesService({
    discover: async () => state.urls,
    clientOf: (url) => createFakeCall([route(whoAmI, () => ({ url }))]),
    openStream: streams.open,
    onBeat: () => undefined,
    logger: createLogger("test", "warn", { write: (line) => void warnings.push(JSON.parse(line).msg) }),
  });
  await service.start();
  const refresh = () => jest.advanceTimersByTimeAsync(REFRESH_MS);
  const owners = () => THREADS.map((threadId) => service.ownerOf(threadId)?.url);
  return { service, streams, state, warnings, refresh, owners };
}
type Owners = (string | undefined)[];
const moved = (before: Owners, after: Owners) => before.filter((owner, index) => owner !== after[index]).length;
const shareOf = (owners: Owners, url: string) => owners.filter((owner) => owner === url).length / owners.length;

describe("the owner of a thread", () => {
  it("is the same for every realtime instance, in any order of discovery", async () => {
    const one = await aService(["http://a", "http://b", "http://c"]);
    const two = await aService(["http://c"]);
    two.state.urls = ["http://a", "http://b", "http://c"];
    await two.refresh();
    expect(two.owners()).toEqual(one.owners());
    for (const url of one.state.urls) expect(shareOf(one.owners(), url)).toBeCloseTo(1 / 3, 1);
    one.service.close();
    two.service.close();
  });

  it("changes only for the threads of an instance that joins or leaves", async () => {
    const { service, state, refresh, owners } = await aService(["http://a", "http://b", "http://c"]);
    const three = owners();
    state.urls = ["http://a", "http://b", "http://c", "http://d"];
    await refresh();
    const four = owners();
    expect(moved(three, four)).toBe(four.filter((owner) => owner === "http://d").length);
    expect(shareOf(four, "http://d")).toBeCloseTo(1 / 4, 1);
    state.urls = ["http://a", "http://b", "http://c"];
    await refresh();
    expect(owners()).toEqual(three);
    service.close();
  });

  it("is a new instance only when its stream is open", async () => {
    const { service, state, streams, refresh, owners } = await aService(["http://a"]);
    state.urls = ["http://a", "http://b"];
    streams.refusing.add("http://b");
    await refresh();
    expect(new Set(owners())).toEqual(new Set(["http://a"]));
    streams.refusing.clear();
    await refresh();
    expect(new Set(owners())).toEqual(new Set(["http://a", "http://b"]));
    service.close();
  });

  it("stays the same while discovery finds no instance", async () => {
    const { service, state, refresh, owners } = await aService(["http://a", "http://b"]);
    const before = owners();
    state.urls = [];
    await refresh();
    expect(owners()).toEqual(before);
    service.close();
  });

  it("is unknown before the first discovery, and calls fail as network errors", async () => {
    const { service, refresh, state } = await aService([]);
    expect(service.ownerOf("thread-1")).toBeUndefined();
    await expect(service.callFor("thread-1")(whoAmI)).rejects.toMatchObject({ status: 0 });
    state.urls = ["http://a"];
    await refresh();
    expect(await service.callFor("thread-1")(whoAmI)).toEqual({ url: "http://a" });
    service.close();
  });
});

it("moves the threads of an instance whose stream has failed until it opens again", async () => {
  const { service, streams, refresh, owners } = await aService(["http://a", "http://b", "http://c"]);
  const before = owners();
  streams.refusing.add("http://b");
  streams.fail("http://b");
  expect(owners()).not.toContain("http://b");
  expect(moved(before, owners())).toBe(before.filter((owner) => owner === "http://b").length);
  streams.refusing.clear();
  await refresh();
  expect(owners()).toEqual(before);
  service.close();
});

it("logs that an instance has failed, but not that it closes the stream itself", async () => {
  const { service, streams, state, warnings, refresh } = await aService(["http://a", "http://b", "http://c"]);
  state.urls = ["http://a", "http://b"];
  await refresh();
  expect(warnings).toEqual([]);
  streams.fail("http://b");
  expect(warnings).toEqual(["svc-messages instance failed"]);
  service.close();
  await jest.advanceTimersByTimeAsync(1);
  expect(warnings).toHaveLength(1);
});

it("counts an instance without a stream as down between the attempts to open one", async () => {
  const { service, streams, refresh } = await aService(["http://a", "http://b"]);
  const count = async () => {
    const samples = parseMetrics((await readMetrics()).text);
    return ["up", "down"].map((state) => sumOf(samples, "messageoh_realtime_messages_instances", { state }));
  };
  expect(await count()).toEqual([2, 0]);
  streams.refusing.add("http://b");
  streams.fail("http://b");
  await refresh();
  expect(await count()).toEqual([1, 1]);
  streams.refusing.clear();
  await refresh();
  expect(await count()).toEqual([2, 0]);
  service.close();
});

it("gives no new threads to an instance that drains, and still takes its results", async () => {
  const { service, streams, owners } = await aService(["http://b"]);
  streams.silent.add("http://b");
  const result = service.store(aNewMessage());
  await jest.advanceTimersByTimeAsync(1);
  streams.send("http://b", { is_draining: true });
  expect(new Set(owners())).toEqual(new Set([undefined]));
  streams.send("http://b", { is_draining: true, results: [[1, { error: "refused" }]] });
  expect(await result).toEqual({ error: "refused" });
  service.close();
});

const aReceipt = (seq: number) => ({
  kind: "delivered" as const,
  thread_id: "a",
  user_id: "ann",
  seq,
  request_id: "r",
});
const RETRY = { retry: true };

it("sends the requests of one turn in one frame, and resolves each with its own result", async () => {
  const { service, streams } = await aService(["http://a"]);
  streams.resultsOf = ({ messages, receipts }) => [
    ...receipts.map(([number]) => [number, { error: "This is not yours" }] as const),
    ...messages.map(([number]) => [number, { error: "You can only write to your friends" }] as const),
  ];
  const results = [service.store(aNewMessage()), service.moveMarker(aReceipt(1)), service.moveMarker(aReceipt(2))];
  expect(service.isIdle()).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(await Promise.all(results)).toEqual([
    { error: "You can only write to your friends" },
    { error: "This is not yours" },
    { error: "This is not yours" },
  ]);
  expect(streams.frames.map(({ frame }) => [frame.messages.length, frame.receipts.length])).toEqual([[1, 2]]);
  expect(service.isIdle()).toBe(true);
  service.close();
});

it("returns retry without a result after five seconds, after a failed stream, and without an instance", async () => {
  const { service, streams } = await aService(["http://a"]);
  streams.silent.add("http://a");
  const late = service.store(aNewMessage());
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await late).toEqual(RETRY);
  const cutOff = [service.store(aNewMessage()), service.moveMarker(aReceipt(1))];
  streams.refusing.add("http://a");
  streams.fail("http://a");
  expect(await Promise.all(cutOff)).toEqual([RETRY, RETRY]);
  expect(await Promise.all([service.store(aNewMessage()), service.moveMarker(aReceipt(1))])).toEqual([RETRY, RETRY]);
  expect(service.isIdle()).toBe(true);
  service.close();
});

it("refuses receipts, but accepts messages, while 10,000 requests have no result", async () => {
  const { service, streams } = await aService(["http://a"]);
  streams.silent.add("http://a");
  for (let seq = 0; seq < 10_000; seq += 1) void service.moveMarker(aReceipt(seq));
  expect(await service.moveMarker(aReceipt(10_000))).toEqual(RETRY);
  const stored = service.store(aNewMessage());
  await jest.advanceTimersByTimeAsync(1);
  streams.send("http://a", { results: [[10_001, { error: "refused" }]] });
  expect(await stored).toEqual({ error: "refused" });
  service.close();
});
