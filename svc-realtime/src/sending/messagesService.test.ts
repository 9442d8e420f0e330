import { ApiError } from "@messageoh/contracts/client";
import { endpoint } from "@messageoh/contracts/endpoint";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import * as z from "zod/mini";
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
  const state = {
    urls,
    failure: new Map<string, unknown>(),
    isReady: true,
    passesProbe: false,
    probed: [] as string[],
  };
  const clientOf = (url: string) =>
    createFakeCall([
      route(whoAmI, () => {
        if (state.failure.has(url)) throw state.failure.get(url);
        return { url };
      }),
    ]);
  const service = createMessagesService({
    discover: async () => state.urls,
    clientOf,
    async probe(url) {
      state.probed.push(url);
      return state.isReady && (state.passesProbe || !state.failure.has(url));
    },
    logger: silentLogger,
  });
  await service.start();
  const refresh = () => jest.advanceTimersByTimeAsync(REFRESH_MS);
  const owners = () => THREADS.map(service.ownerOf);
  return { service, state, refresh, owners };
}

const moved = (before: string[], after: string[]) => before.filter((owner, index) => owner !== after[index]).length;
const shareOf = (owners: string[], url: string) => owners.filter((owner) => owner === url).length / owners.length;

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

  it("is a new instance only after it passes a probe", async () => {
    const { service, state, refresh, owners } = await aService(["http://a"]);
    state.urls = ["http://a", "http://b"];
    state.isReady = false;
    await refresh();
    expect(new Set(owners())).toEqual(new Set(["http://a"]));
    state.isReady = true;
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
    expect(service.ownerOf("thread-1")).toBe("");
    await expect(service.callFor("thread-1")(whoAmI)).rejects.toMatchObject({ status: 0 });
    state.urls = ["http://a"];
    await refresh();
    expect(await service.callFor("thread-1")(whoAmI)).toEqual({ url: "http://a" });
    service.close();
  });
});

describe("an instance that fails a call", () => {
  it.each([
    ["cannot be reached", new ApiError(0)],
    ["responds with 503", new ApiError(503)],
    ["drops the connection", new Error("socket hang up")],
  ])("and %s loses its threads until it passes a probe", async (_, failure) => {
    const { service, state, refresh, owners } = await aService(["http://a", "http://b", "http://c"]);
    let changes = 0;
    service.onChange(() => {
      changes += 1;
    });
    const before = owners();
    state.failure.set("http://b", failure);
    await expect(service.callAt("http://b", (call) => call(whoAmI))).rejects.toBe(failure);
    const without = owners();
    expect(without).not.toContain("http://b");
    expect(moved(before, without)).toBe(before.filter((owner) => owner === "http://b").length);
    expect(changes).toBe(1);

    state.isReady = false;
    state.failure.clear();
    state.probed.length = 0;
    await refresh();
    expect(state.probed).toEqual(["http://b"]);
    expect(owners()).toEqual(without);
    state.isReady = true;
    await refresh();
    expect(owners()).toEqual(before);
    expect(changes).toBe(2);
    service.close();
  });

  it("keeps its threads if it refused the request", async () => {
    const { service, state, owners } = await aService(["http://a", "http://b"]);
    const before = owners();
    state.failure.set("http://a", new ApiError(403, "This is not yours"));
    await expect(service.callAt("http://a", (call) => call(whoAmI))).rejects.toMatchObject({ status: 403 });
    expect(owners()).toEqual(before);
    service.close();
  });

  it.each([
    ["responds with 503", new ApiError(503)],
    ["does not respond in time", new ApiError(0)],
  ])("outside a batch and %s keeps its threads if it passes a probe", async (_, failure) => {
    const { service, state, owners } = await aService(["http://a", "http://b"]);
    const before = owners();
    const thread = THREADS.find((threadId) => service.ownerOf(threadId) === "http://a") ?? "";
    state.failure.set("http://a", failure);
    state.passesProbe = true;
    state.probed.length = 0;
    const calls = [1, 2, 3].map(() =>
      service
        .callFor(thread)(whoAmI)
        .catch((error) => error),
    );
    expect(await Promise.all(calls)).toEqual([failure, failure, failure]);
    await jest.advanceTimersByTimeAsync(0);
    expect(owners()).toEqual(before);
    expect(state.probed).toEqual(["http://a"]);
    state.passesProbe = false;
    await expect(service.callFor(thread)(whoAmI)).rejects.toBe(failure);
    await jest.advanceTimersByTimeAsync(0);
    expect(owners()).not.toContain("http://a");
    service.close();
  });

  it("still gets calls while all instances fail", async () => {
    const { service, state } = await aService(["http://a", "http://b"]);
    for (const url of state.urls) {
      state.failure.set(url, new ApiError(0));
      await expect(service.callAt(url, (call) => call(whoAmI))).rejects.toThrow();
    }
    state.failure.clear();
    expect(await service.callFor("thread-1")(whoAmI)).toEqual({ url: service.ownerOf("thread-1") });
    service.close();
  });

  it("rejects calls to an instance that was removed, without an effect on the others", async () => {
    const { service, state, refresh, owners } = await aService(["http://a", "http://b"]);
    state.urls = ["http://a"];
    await refresh();
    await expect(service.callAt("http://b", (call) => call(whoAmI))).rejects.toMatchObject({ status: 0 });
    expect(new Set(owners())).toEqual(new Set(["http://a"]));
    service.close();
  });
});
