import { dropEarlyCalls, sendEarly } from "./earlyCalls.ts";

const ADDRESS = "/messageoh/users/ann";
const init = (method: "GET" | "POST" = "GET", signal = new AbortController().signal) =>
  ({ method, headers: {}, credentials: "same-origin", signal }) as const;
const text = async (sent: ReturnType<typeof sendEarly>) => (await sent).json();
let age: jest.SpyInstance;

beforeEach(() => {
  age = jest.spyOn(performance, "now").mockReturnValue(500);
  jest.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json("fetched"));
  globalThis.messageohEarlyCalls = new Map([[ADDRESS, Promise.resolve(Response.json("early"))]]);
});
afterEach(() => {
  jest.restoreAllMocks();
  globalThis.messageohEarlyCalls = undefined;
});

describe("a call that the page has made early", () => {
  it("is used once", async () => {
    expect(await text(sendEarly(ADDRESS, init()))).toBe("early");
    expect(fetch).not.toHaveBeenCalled();
    expect(await text(sendEarly(ADDRESS, init()))).toBe("fetched");
  });

  it("is not used for another address or method, or without early calls", async () => {
    expect(await text(sendEarly("/messageoh/users/bob", init()))).toBe("fetched");
    expect(await text(sendEarly(ADDRESS, init("POST")))).toBe("fetched");
    globalThis.messageohEarlyCalls = undefined;
    expect(await text(sendEarly(ADDRESS, init()))).toBe("fetched");
  });

  it("is not used when it is old", async () => {
    age.mockReturnValue(10_000);
    expect(await text(sendEarly(ADDRESS, init()))).toBe("fetched");
  });

  it("is not used after the end of the session", async () => {
    dropEarlyCalls();
    expect(await text(sendEarly(ADDRESS, init()))).toBe("fetched");
  });

  it("responds in a task of its own", async () => {
    jest.useFakeTimers({ doNotFake: ["performance", "nextTick", "setImmediate"] });
    const responded = jest.fn();
    const sent = sendEarly(ADDRESS, init()).then(responded);
    await new Promise((resolve) => setImmediate(resolve));
    expect(responded).not.toHaveBeenCalled();
    jest.runAllTimers();
    jest.useRealTimers();
    await sent;
    expect(responded).toHaveBeenCalledTimes(1);
  });

  it("can be aborted", async () => {
    globalThis.messageohEarlyCalls?.set(ADDRESS, new Promise(() => undefined));
    const aborter = new AbortController();
    const sent = sendEarly(ADDRESS, init("GET", aborter.signal));
    aborter.abort(new Error("late"));
    await expect(sent).rejects.toThrow("late");
  });
});
