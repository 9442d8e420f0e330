import { silentLogger } from "../../testing/engines.ts";
import { type EndedSessionsPage, pollEndedSessions } from "./endedSessions.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const page = (until: string, ids: string[], has_more = false): EndedSessionsPage => ({
  sessions: ids.map((session_id) => ({ session_id })),
  until,
  has_more,
});

async function poll(answers: (EndedSessionsPage | Error)[], seconds: number) {
  const asked: (string | undefined)[] = [];
  const ended: string[] = [];
  const { close } = pollEndedSessions({
    fetchPage: async (since) => {
      asked.push(since);
      const answer = answers.shift() ?? page(at(0), []);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onEnded: (id) => ended.push(id),
    logger: silentLogger,
  });
  await jest.advanceTimersByTimeAsync(seconds * 1_000);
  close();
  await jest.advanceTimersByTimeAsync(5_000);
  return { asked, ended };
}

it("asks every second, reaching back five, and reports each session once", async () => {
  const answers = [page(at(10), ["one"]), page(at(10), ["one"]), page(at(11), ["one", "two"])];
  expect(await poll(answers, 2)).toEqual({ asked: [undefined, at(5), at(5)], ended: ["one", "two"] });
});

it("fetches the next page at once when there is more", async () => {
  const answers = [page(at(10), ["one", "two"], true), page(at(12), ["two", "three"])];
  expect(await poll(answers, 0)).toEqual({ asked: [undefined, at(10)], ended: ["one", "two", "three"] });
});

it("goes on from where it was once the owner is back", async () => {
  const answers = [page(at(10), []), new Error("away"), new Error("away"), page(at(11), ["late"])];
  expect(await poll(answers, 3)).toEqual({ asked: [undefined, at(5), at(5), at(5)], ended: ["late"] });
});

it("keeps its place when a page is empty", async () => {
  const answers = [page(at(10), ["one"]), page(at(5), []), page(at(5), [])];
  expect((await poll(answers, 2)).asked).toEqual([undefined, at(5), at(5)]);
});
