import { type AccessChange, type FriendshipChange, listAccessChanges } from "@messageoh/contracts/internal/users";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import type * as v from "valibot";
import { silentLogger } from "../../testing/datastores.ts";
import { pollAccessChanges } from "./accessChanges.ts";

type Page = v.InferOutput<typeof listAccessChanges.response>;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const ended = (session_id: string): AccessChange => ({ type: "session_ended", session_id, user_id: "user" });
const change = (thread_id: string, second: number): FriendshipChange => ({
  thread_id,
  user_ids: ["ann", "bob"],
  is_friends: false,
  changed_at: at(second),
});
const changed = (friendship: FriendshipChange): AccessChange => ({ type: "friendship_changed", change: friendship });
const page = (until: string, changes: AccessChange[], has_more = false): Page => ({ changes, until, has_more });

/** Polls a svc-users with these responses, and empty ones afterwards. */
function setUp(responses: (Page | Error)[]) {
  const requested: (string | undefined)[] = [];
  const sessions: string[] = [];
  const friendships: FriendshipChange[] = [];
  const callUsers = createFakeCall([
    route(listAccessChanges, ({ body: { since } }) => {
      requested.push(since);
      const response = responses.shift() ?? page(at(0), []);
      if (response instanceof Error) throw response;
      return response;
    }),
  ]);
  const listeners = {
    onSessionEnded: (id: string) => void sessions.push(id),
    onFriendshipChange: (friendship: FriendshipChange) => void friendships.push(friendship),
  };
  const { hear, close } = pollAccessChanges(callUsers, listeners, silentLogger);
  return {
    requested,
    sessions,
    friendships,
    hear: (event: AccessChange) => hear(JSON.stringify({ ...event, request_id: "r" })),
    async run(seconds: number) {
      await jest.advanceTimersByTimeAsync(seconds * 1_000);
      close();
      await jest.advanceTimersByTimeAsync(5_000);
    },
  };
}

it("polls every second, reaches back 5 seconds, and reports each session once", async () => {
  const pages = [
    page(at(10), [ended("one")]),
    page(at(10), [ended("one")]),
    page(at(11), [ended("one"), ended("two")]),
  ];
  const { run, requested, sessions } = setUp(pages);
  await run(2);
  expect({ requested, sessions }).toEqual({ requested: [undefined, at(5), at(5)], sessions: ["one", "two"] });
});

it("fetches the next page at once if there is one", async () => {
  const { run, requested, sessions } = setUp([
    page(at(10), [ended("one"), ended("two")], true),
    page(at(12), [ended("two"), ended("three")]),
  ]);
  await run(0);
  expect({ requested, sessions }).toEqual({ requested: [undefined, at(10)], sessions: ["one", "two", "three"] });
});

it("continues at its cursor after an outage of svc-users", async () => {
  const { run, requested, sessions } = setUp([
    page(at(10), []),
    new Error("down"),
    new Error("down"),
    page(at(11), [ended("late")]),
  ]);
  await run(3);
  expect({ requested, sessions }).toEqual({ requested: [undefined, at(5), at(5), at(5)], sessions: ["late"] });
});

it("keeps its cursor when a page is empty", async () => {
  const { run, requested } = setUp([page(at(10), [ended("one")]), page(at(5), []), page(at(5), [])]);
  await run(2);
  expect(requested).toEqual([undefined, at(5), at(5)]);
});

it("reports each change of a friendship once, whether the bus or the poll delivers it first", async () => {
  const [first, again, other] = [change("one", 1), change("one", 3), change("two", 2)];
  const { run, friendships, hear } = setUp([
    page(at(10), [changed(first)]),
    page(at(10), [changed(first), changed(other)]),
    page(at(10), [changed(first), changed(other), changed(again)]),
  ]);
  await jest.advanceTimersByTimeAsync(0);
  hear(changed(other));
  hear(changed(first));
  await run(2);
  expect(friendships).toEqual([first, other, again]);
});

it("reports the end of a session at its event, and again when the poll finds it", async () => {
  const { run, sessions, hear } = setUp([page(at(10), []), page(at(10), [ended("one")]), page(at(10), [ended("one")])]);
  await jest.advanceTimersByTimeAsync(0);
  hear(ended("one"));
  expect(sessions).toEqual(["one"]);
  await run(2);
  expect(sessions).toEqual(["one", "one"]);
});

it("throws an error for an event of another kind", () => {
  const { hear } = setUp([]);
  expect(() => hear({ type: "other" } as never)).toThrow();
});
