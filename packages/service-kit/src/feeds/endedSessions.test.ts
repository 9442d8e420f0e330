import { listEndedSessions } from "@messageoh/contracts/internal/users";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import type * as v from "valibot";
import { silentLogger } from "../../testing/datastores.ts";
import { pollEndedSessions } from "./endedSessions.ts";

type EndedSessionsPage = v.InferOutput<(typeof listEndedSessions)["response"]>;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const page = (until: string, ids: string[], has_more = false): EndedSessionsPage => ({
  sessions: ids.map((session_id) => ({ session_id, user_id: "user" })),
  until,
  has_more,
});

async function poll(responses: (EndedSessionsPage | Error)[], seconds: number) {
  const requested: (string | undefined)[] = [];
  const ended: string[] = [];
  const callUsers = createFakeCall([
    route(listEndedSessions, ({ body: { since } }) => {
      requested.push(since);
      const response = responses.shift() ?? page(at(0), []);
      if (response instanceof Error) throw response;
      return response;
    }),
  ]);
  const { close } = pollEndedSessions(callUsers, (id) => ended.push(id), silentLogger);
  await jest.advanceTimersByTimeAsync(seconds * 1_000);
  close();
  await jest.advanceTimersByTimeAsync(5_000);
  return { requested, ended };
}

it("polls every second, reaches back 5 seconds, and reports each session once", async () => {
  const responses = [page(at(10), ["one"]), page(at(10), ["one"]), page(at(11), ["one", "two"])];
  expect(await poll(responses, 2)).toEqual({ requested: [undefined, at(5), at(5)], ended: ["one", "two"] });
});

it("fetches the next page at once if there is one", async () => {
  const responses = [page(at(10), ["one", "two"], true), page(at(12), ["two", "three"])];
  expect(await poll(responses, 0)).toEqual({ requested: [undefined, at(10)], ended: ["one", "two", "three"] });
});

it("continues at its cursor after an outage of the owner", async () => {
  const responses = [page(at(10), []), new Error("down"), new Error("down"), page(at(11), ["late"])];
  expect(await poll(responses, 3)).toEqual({ requested: [undefined, at(5), at(5), at(5)], ended: ["late"] });
});

it("keeps its cursor when a page is empty", async () => {
  const responses = [page(at(10), ["one"]), page(at(5), []), page(at(5), [])];
  expect((await poll(responses, 2)).requested).toEqual([undefined, at(5), at(5)]);
});
