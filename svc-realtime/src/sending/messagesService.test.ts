import { ApiError, type Call } from "@messageoh/contracts/client";
import { silentLogger } from "@messageoh/service-kit/testing/engines";
import { createMessagesService } from "./messagesService.ts";

const THREADS = Array.from({ length: 3_000 }, (_, index) => `thread-${index}`);
const LOOK_MS = 1_300;
const endpoint = {} as Parameters<Call>[0];

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A realtime instance's view of svc-messages instances that run, or fail, as the test says. */
async function aService(urls: string[]) {
  const state = { urls, failure: new Map<string, unknown>(), isReady: true, isAlive: false, probed: [] as string[] };
  const clientOf = (url: string) =>
    (async () => {
      if (state.failure.has(url)) throw state.failure.get(url);
      return { url };
    }) as unknown as Call;
  const service = createMessagesService({
    discover: async () => state.urls,
    clientOf,
    async probe(url) {
      state.probed.push(url);
      return state.isReady && (state.isAlive || !state.failure.has(url));
    },
    logger: silentLogger,
  });
  await service.start();
  const look = () => jest.advanceTimersByTimeAsync(LOOK_MS);
  const owners = () => THREADS.map(service.ownerOf);
  return { service, state, look, owners };
}

const moved = (before: string[], after: string[]) => before.filter((owner, index) => owner !== after[index]).length;
const shareOf = (owners: string[], url: string) => owners.filter((owner) => owner === url).length / owners.length;

describe("the owner of a thread", () => {
  it("is the same for every realtime instance, in whichever order it learned of the instances", async () => {
    const one = await aService(["http://a", "http://b", "http://c"]);
    const two = await aService(["http://c"]);
    two.state.urls = ["http://a", "http://b", "http://c"];
    await two.look();
    expect(two.owners()).toEqual(one.owners());
    for (const url of one.state.urls) expect(shareOf(one.owners(), url)).toBeCloseTo(1 / 3, 1);
    one.service.close();
    two.service.close();
  });

  it("changes for no more threads than an instance owns when it comes or goes", async () => {
    const { service, state, look, owners } = await aService(["http://a", "http://b", "http://c"]);
    const three = owners();
    state.urls = ["http://a", "http://b", "http://c", "http://d"];
    await look();
    const four = owners();
    expect(moved(three, four)).toBe(four.filter((owner) => owner === "http://d").length);
    expect(shareOf(four, "http://d")).toBeCloseTo(1 / 4, 1);
    state.urls = ["http://a", "http://b", "http://c"];
    await look();
    expect(owners()).toEqual(three);
    service.close();
  });

  it("is a new instance only once that has passed a probe", async () => {
    const { service, state, look, owners } = await aService(["http://a"]);
    state.urls = ["http://a", "http://b"];
    state.isReady = false;
    await look();
    expect(new Set(owners())).toEqual(new Set(["http://a"]));
    state.isReady = true;
    await look();
    expect(new Set(owners())).toEqual(new Set(["http://a", "http://b"]));
    service.close();
  });

  it("stays while discovery finds nothing or fails", async () => {
    const { service, state, look, owners } = await aService(["http://a", "http://b"]);
    const before = owners();
    state.urls = [];
    await look();
    expect(owners()).toEqual(before);
    service.close();
  });

  it("is nobody before an instance is found, and a call fails as one that did not get through", async () => {
    const { service, look, state } = await aService([]);
    expect(service.ownerOf("thread-1")).toBe("");
    await expect(service.callFor("thread-1")(endpoint)).rejects.toMatchObject({ status: 0 });
    state.urls = ["http://a"];
    await look();
    expect(await service.callFor("thread-1")(endpoint)).toEqual({ url: "http://a" });
    service.close();
  });
});

describe("an instance that fails a call", () => {
  it.each([
    ["is not reached", new ApiError(0)],
    ["answers 503", new ApiError(503)],
    ["breaks off", new Error("socket hang up")],
  ])("and %s loses its threads to the others until it passes a probe", async (_, failure) => {
    const { service, state, look, owners } = await aService(["http://a", "http://b", "http://c"]);
    let changes = 0;
    service.onChange(() => {
      changes += 1;
    });
    const before = owners();
    state.failure.set("http://b", failure);
    await expect(service.callAt("http://b", (call) => call(endpoint))).rejects.toBe(failure);
    const without = owners();
    expect(without).not.toContain("http://b");
    expect(moved(before, without)).toBe(before.filter((owner) => owner === "http://b").length);
    expect(changes).toBe(1);

    state.isReady = false;
    state.failure.clear();
    state.probed.length = 0;
    await look();
    expect(state.probed).toEqual(["http://b"]);
    expect(owners()).toEqual(without);
    state.isReady = true;
    await look();
    expect(owners()).toEqual(before);
    expect(changes).toBe(2);
    service.close();
  });

  it("keeps its threads if it refused the call for what it asked", async () => {
    const { service, state, owners } = await aService(["http://a", "http://b"]);
    const before = owners();
    state.failure.set("http://a", new ApiError(403, "This is not yours"));
    await expect(service.callAt("http://a", (call) => call(endpoint))).rejects.toMatchObject({ status: 403 });
    expect(owners()).toEqual(before);
    service.close();
  });

  it.each([
    ["answers 503", new ApiError(503)],
    ["does not answer in time", new ApiError(0)],
  ])("other than a batch's, and %s, keeps its threads if it passes a probe", async (_, failure) => {
    const { service, state, owners } = await aService(["http://a", "http://b"]);
    const before = owners();
    const thread = THREADS.find((threadId) => service.ownerOf(threadId) === "http://a") ?? "";
    state.failure.set("http://a", failure);
    state.isAlive = true;
    state.probed.length = 0;
    const calls = [1, 2, 3].map(() =>
      service
        .callFor(thread)(endpoint)
        .catch((error) => error),
    );
    expect(await Promise.all(calls)).toEqual([failure, failure, failure]);
    await jest.advanceTimersByTimeAsync(0);
    expect(owners()).toEqual(before);
    expect(state.probed).toEqual(["http://a"]);
    state.isAlive = false;
    await expect(service.callFor(thread)(endpoint)).rejects.toBe(failure);
    await jest.advanceTimersByTimeAsync(0);
    expect(owners()).not.toContain("http://a");
    service.close();
  });

  it("is tried all the same while all of them fail", async () => {
    const { service, state } = await aService(["http://a", "http://b"]);
    for (const url of state.urls) {
      state.failure.set(url, new ApiError(0));
      await expect(service.callAt(url, (call) => call(endpoint))).rejects.toThrow();
    }
    state.failure.clear();
    expect(await service.callFor("thread-1")(endpoint)).toEqual({ url: service.ownerOf("thread-1") });
    service.close();
  });

  it("fails the calls of one that is gone, without touching the others", async () => {
    const { service, state, look, owners } = await aService(["http://a", "http://b"]);
    state.urls = ["http://a"];
    await look();
    await expect(service.callAt("http://b", (call) => call(endpoint))).rejects.toMatchObject({ status: 0 });
    expect(new Set(owners())).toEqual(new Set(["http://a"]));
    service.close();
  });
});
