import { endpoint } from "@messageoh/contracts/endpoint";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import * as z from "zod/mini";
import { FakeStreams } from "../../testing/fakeStreams.ts";
import { createMessagesService } from "./messagesService.ts";

const THREADS = Array.from({ length: 3_000 }, (_, index) => `thread-${index}`);
/** Longer than the interval between two discoveries. */
const REFRESH_MS = 1_300;
/** A call to which an instance responds with its own URL. */
const whoAmI = endpoint({ method: "GET", path: "/whoami", response: z.object({ url: z.string() }) });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Returns a service whose instances run and fail as the test defines. */
async function aService(urls: string[]) {
  const streams = new FakeStreams();
  const state = { urls, failed: [] as string[], results: [] as unknown[] };
  const service = createMessagesService({
    discover: async () => state.urls,
    clientOf: (url) => createFakeCall([route(whoAmI, () => ({ url }))]),
    openStream: streams.open,
    logger: silentLogger,
  });
  service.listen({
    onBeat: () => undefined,
    onResult: (...result) => state.results.push(result),
    onFailed: ({ url }) => state.failed.push(url),
  });
  await service.start();
  const refresh = () => jest.advanceTimersByTimeAsync(REFRESH_MS);
  const owners = () => THREADS.map((threadId) => service.ownerOf(threadId)?.url);
  return { service, streams, state, refresh, owners };
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
  const { service, state, streams, refresh, owners } = await aService(["http://a", "http://b", "http://c"]);
  const before = owners();
  streams.refusing.add("http://b");
  streams.fail("http://b");
  expect(owners()).not.toContain("http://b");
  expect(moved(before, owners())).toBe(before.filter((owner) => owner === "http://b").length);
  expect(state.failed).toEqual(["http://b"]);
  streams.refusing.clear();
  await refresh();
  expect(owners()).toEqual(before);
  service.close();
});

it("gives no new threads to an instance that drains, and still takes its results", async () => {
  const { service, state, streams, owners } = await aService(["http://a", "http://b"]);
  streams.send("http://b", { is_draining: true });
  expect(new Set(owners())).toEqual(new Set(["http://a"]));
  streams.send("http://b", { is_draining: true, results: [[7, { retry: true }]] });
  expect(state.results).toEqual([[7, { retry: true }]]);
  expect(state.failed).toEqual([]);
  service.close();
});
