import { ApiError, type Call } from "@messageoh/contracts/client";
import { listAttached } from "@messageoh/contracts/internal/messages";
import { createCallMessages } from "./callMessages.ts";

/** Calls of instances by their URL. Those in `down` do not respond. */
function setUp(urls: string[]) {
  const called: string[] = [];
  const down = new Map<string, number>();
  let discoveries = 0;
  const call = createCallMessages({
    discover: async () => {
      discoveries += 1;
      return urls;
    },
    clientOf: (url) =>
      (async () => {
        called.push(url);
        if (down.has(url)) throw new ApiError(down.get(url) ?? 0);
        return { attached: [url] };
      }) as unknown as Call,
  });
  const ask = () => call(listAttached, { body: { media: [] } });
  return { ask, called, down, discoveries: () => discoveries };
}

it("keeps to the instance that responded, without looking for others", async () => {
  const { ask, called, discoveries } = setUp(["a", "b"]);
  await ask();
  await ask();
  expect([called, discoveries()]).toEqual([["a", "a"], 1]);
});

it.each([0, 503])("calls another instance if one fails with %i, also later", async (status) => {
  const { ask, called, down } = setUp(["a", "b"]);
  down.set("a", status);
  expect(await ask()).toEqual({ attached: ["b"] });
  down.clear();
  down.set("b", status);
  expect(await ask()).toEqual({ attached: ["a"] });
  expect(called).toEqual(["a", "b", "b", "a"]);
});

it("rejects if no instance responds, if none is found, and at once if a call is refused", async () => {
  const { ask, called, down } = setUp(["a", "b"]);
  down.set("a", 0).set("b", 0);
  await expect(ask()).rejects.toMatchObject({ status: 0 });
  down.clear();
  down.set("a", 404);
  await expect(ask()).rejects.toMatchObject({ status: 404 });
  expect(called).toEqual(["a", "b", "a"]);
  await expect(setUp([]).ask()).rejects.toMatchObject({ status: 0 });
});

it("calls another instance for each of several calls that fail at the same time", async () => {
  const { ask, down } = setUp(["a", "b"]);
  await ask();
  down.set("a", 0);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill({ attached: ["b"] }));
});
