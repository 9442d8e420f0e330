import type { Beat } from "@messageoh/contracts/beat";
import { createPosition } from "./position.ts";
import type { Publish } from "./publish.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Creates a position whose beats a test reads. Redis accepts what is published unless `isDown`. */
function setUp() {
  const clock = { ms: 1_700_000_000_000 };
  const redis = { isDown: false, isSlow: undefined as Promise<void> | undefined };
  const beats: Beat[] = [];
  const publish: Publish = async (events) => {
    await redis.isSlow;
    if (redis.isDown) return null;
    beats.push(...events.map(([, event]) => event as Beat));
    return new Set();
  };
  const position = createPosition("messages", () => clock.ms);
  const end = position.startBeats(publish);
  const beat = async () => {
    await jest.advanceTimersByTimeAsync(1_000);
    return beats.at(-1) as Beat;
  };
  return { clock, redis, beats, position, beat, end };
}
const HEARD = new Set<string>();

it("makes ascending ids, also while the clock is set back", () => {
  const { clock, position } = setUp();
  const ids = Array.from({ length: 50 }, (_, index) => {
    if (index === 20) clock.ms -= 3_600_000;
    if (index % 7 === 0) clock.ms += 1;
    return position.begin().nextId();
  });
  expect(ids).toEqual([...new Set(ids)].sort());
});

it("precedes everything that is not stored or not published", async () => {
  const { position, beat } = setUp();
  const begin = () => {
    const work = position.begin();
    return { ...work, id: work.nextId() };
  };
  const [slow, stored, done] = [begin(), begin(), begin()];
  const [slowId, storedId, doneId] = [slow.id, stored.id, done.id];
  done.written();
  done.published(HEARD);
  stored.written();
  expect((await beat()).position < slowId).toBe(true);
  slow.written();
  slow.published(HEARD);
  const { position: published } = await beat();
  expect([published > slowId, published < storedId]).toEqual([true, true]);
  expect(position.beatOfStored().position > doneId).toBe(true);
  stored.published(HEARD);
  expect((await beat()).position > doneId).toBe(true);
});

it("reports lost events until Redis has accepted the report, and what is stored meanwhile", async () => {
  const { position, redis, beats, beat } = setUp();
  redis.isDown = true;
  const work = position.begin();
  const id = work.nextId();
  work.written();
  work.published(null);
  const heard = beats.length;
  await beat();
  expect(beats).toHaveLength(heard);
  redis.isDown = false;
  const first = await beat();
  expect([first.has_lost, first.position > id]).toEqual([true, true]);
  expect((await beat()).has_lost).toBe(false);
});

it("reports events that are lost after several beats have reported earlier ones at the same time", async () => {
  const { position, redis, beats, beat } = setUp();
  const lose = () => {
    const work = position.begin();
    work.written();
    work.published(null);
  };
  lose();
  const { promise, resolve } = Promise.withResolvers<void>();
  redis.isSlow = promise;
  await beat();
  await beat();
  resolve();
  redis.isSlow = undefined;
  await jest.advanceTimersByTimeAsync(0);
  expect(beats.filter(({ has_lost }) => has_lost)).toHaveLength(2);
  lose();
  expect((await beat()).has_lost).toBe(true);
  expect((await beat()).has_lost).toBe(false);
});

it("names the ids of a write of unknown outcome for 30 seconds, and reports that events may be missing", async () => {
  const { position, beat } = setUp();
  const work = position.begin();
  const ids = [work.nextId("a"), work.nextId("b")] as const;
  work.failed();
  for (let second = 1; second < 30; second += 1) {
    const { has_lost, position: at, unknown } = await beat();
    expect([has_lost, at > ids[1], unknown.length]).toEqual([true, true, 1]);
    expect(unknown).toEqual([ids]);
  }
  expect(position.beatOfStored().unknown).toHaveLength(1);
  await beat();
  expect(await beat()).toMatchObject({ has_lost: false, unknown: [] });
});

it("counts a write that does not end as failed after 30 seconds, so that it holds the position no longer", async () => {
  const { position, beat } = setUp();
  const hung = position.begin();
  const id = hung.nextId("a");
  for (let second = 1; second < 30; second += 1) expect((await beat()).position < id).toBe(true);
  await beat();
  const late = await beat();
  expect([late.position > id, late.has_lost, late.unknown]).toEqual([true, true, [[id, id]]]);
  expect(() => hung.nextId("b")).toThrow("The write takes too long");
  hung.written();
  expect((await beat()).position > late.position).toBe(true);
  hung.published(HEARD);
  expect(await beat()).toMatchObject({ has_lost: false, unknown: [] });
});

it("knows the outcome of what was written again and published, and names the rest", async () => {
  const { position, beat } = setUp();
  const failed = position.begin();
  const ids = ["a", "b", "left out"].map((name) => failed.nextId(name));
  failed.failed();
  const again = (...names: string[]) => {
    const work = position.begin();
    for (const name of [...names, "left out"]) work.nextId(name);
    work.written(["left out"]);
    return work;
  };
  const unpublished = again("b");
  again("a", "d").published(HEARD);
  expect(await beat()).toMatchObject({ has_lost: true, unknown: [[ids[1], ids[2]]] });
  unpublished.published(HEARD);
  expect((await beat()).unknown).toEqual([[ids[2], ids[2]]]);
  const last = position.begin();
  last.nextId("left out");
  last.written();
  last.published(HEARD);
  expect(await beat()).toMatchObject({ has_lost: false, unknown: [] });
});

it("knows the outcome of what was written again and published before the first write failed", async () => {
  const { position, beat } = setUp();
  const hung = position.begin();
  hung.nextId("a");
  const left = hung.nextId("b");
  const again = position.begin();
  again.nextId("a");
  again.written();
  again.published(HEARD);
  hung.failed();
  expect(await beat()).toMatchObject({ has_lost: true, unknown: [[left, left]] });
});

it("knows the outcome of work that failed before its first write", async () => {
  const { position, beat } = setUp();
  position.begin().failed();
  expect(await beat()).toMatchObject({ has_lost: false, unknown: [] });
});

it("names one range if the outcome of many writes is unknown", async () => {
  const { position, beat } = setUp();
  const works = Array.from({ length: 60 }, () => position.begin());
  for (const work of works) {
    work.nextId("a");
    work.failed();
  }
  const { unknown } = await beat();
  expect(unknown).toHaveLength(1);
});

it("names ranges in the order of their ids", async () => {
  const { position, beat } = setUp();
  const [first, second] = [position.begin(), position.begin()];
  first.nextId("a");
  second.nextId("b");
  first.nextId("a");
  for (const work of [first, second]) work.failed();
  const { unknown } = await beat();
  expect(unknown).toHaveLength(2);
  expect(unknown).toEqual(unknown.toSorted(([one], [other]) => (one < other ? -1 : 1)));
});

it("ends with a last beat", async () => {
  const { end, beats } = setUp();
  await end();
  expect(beats.at(-1)).toMatchObject({ is_last: true, has_lost: false });
  const count = beats.length;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(beats).toHaveLength(count);
});
