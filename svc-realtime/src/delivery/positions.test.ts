import { type Beat, idAt } from "@messageoh/contracts/beat";
import { createPositions } from "./positions.ts";

const HOUR_MS = 3_600_000;
const START = 1_700_000_000_000;
const id = (ms: number, name = "aaaaaa") => idAt(START + ms, name);
const beat = (ms: number, parts: Partial<Beat> = {}): Beat => ({
  service: "messages",
  name: "aaaaaa",
  from: id(0, parts.name),
  position: id(ms, parts.name),
  unknown: [],
  has_lost: false,
  is_last: false,
  ...parts,
});

function setUp(shards?: number) {
  const clock = { ms: 0 };
  return { clock, positions: createPositions(() => clock.ms, shards) };
}

it("misses nothing while beats arrive, and everything after the last one when they have stopped for three seconds", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  for (let ms = 1_000; ms <= 60_000; ms += 1_000) {
    clock.ms = ms;
    positions.hear(beat(ms));
    positions.check();
    expect(positions.missing()).toEqual([]);
  }
  clock.ms += 3_001;
  positions.check();
  expect(positions.missing()).toMatchObject([{ range: [id(60_000), expect.any(String)] }]);
});

it("needs a read that began after the next beat to end a silence", () => {
  const { positions } = setUp();
  positions.hear(beat(0));
  positions.interrupt();
  const [during] = positions.missing();
  positions.hear(beat(5_000));
  during?.found();
  expect(positions.isMissing()).toBe(true);
  const [after] = positions.missing();
  after?.found();
  expect(positions.isMissing()).toBe(false);
});

it.each([
  ["lost", []],
  ["lost and restored", [beat(6_000)]],
])("is missing again if the subscription is %s during the read that would end a silence", (_, beatsAfter) => {
  const { positions } = setUp();
  positions.hear(beat(0));
  positions.interrupt();
  positions.hear(beat(5_000));
  const [missing] = positions.missing();
  positions.interrupt();
  for (const each of beatsAfter) positions.hear(each);
  missing?.found();
  expect(positions.isMissing()).toBe(true);
});

it("reads a process again and again while its beats say that events are lost", () => {
  const { positions } = setUp();
  positions.hear(beat(0));
  positions.hear(beat(1_000, { has_lost: true }));
  for (const ms of [2_000, 3_000]) {
    const [missing] = positions.missing();
    missing?.found();
    positions.hear(beat(ms, { has_lost: true }));
    expect(positions.isMissing()).toBe(true);
  }
  positions.hear(beat(4_000));
  const [missing] = positions.missing();
  missing?.found();
  expect(positions.isMissing()).toBe(false);
});

it("advances through what is stored while streams say so, so that each read is short", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  positions.interrupt();
  for (let ms = 2_000; ms <= 60_000; ms += 2_000) {
    clock.ms = ms;
    positions.learn(beat(ms));
    positions.check();
    const [missing] = positions.missing();
    expect(missing?.range[0]).toBe(id(ms - 2_000));
    missing?.found();
  }
});

it("forgets a process that is silent everywhere for 30 seconds, and one that has ended, at once", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  positions.hear(beat(0, { name: "bbbbbb" }));
  positions.hear(beat(1_000, { name: "bbbbbb", is_last: true }));
  positions.check();
  expect([...positions.seen().positions.keys()]).toEqual(["aaaaaa"]);
  clock.ms = 30_001;
  positions.check();
  expect([...positions.seen().positions.keys()]).toEqual([]);
  expect(positions.isMissing()).toBe(false);
});

it("reads what a new process has stored before its first beat was heard, at most a minute of it", () => {
  const { positions } = setUp();
  positions.hear(beat(500));
  positions.hear(beat(HOUR_MS, { name: "bbbbbb" }));
  expect(positions.missing().map(({ range: [from] }) => from)).toEqual([id(0), id(HOUR_MS - 60_000, "bbbbbb")]);
});

it("compares only ids of one process, so that two hosts' clocks may differ by an hour", () => {
  const { positions } = setUp();
  positions.hear(beat(1_000));
  positions.hear(beat(HOUR_MS, { name: "bbbbbb" }));
  const seen = positions.seen();
  expect(positions.wasStoredBefore(seen, id(999), false)).toBe(true);
  expect(positions.wasStoredBefore(seen, id(1_001), false)).toBe(false);
  expect(positions.wasStoredBefore(seen, id(HOUR_MS - 1, "bbbbbb"), false)).toBe(true);
  expect(positions.wasStoredBefore(seen, id(HOUR_MS + 1, "bbbbbb"), false)).toBe(false);
});

it("treats a message of an unknown process as new if its event is the first, or if the process has started since", () => {
  const { clock, positions } = setUp();
  const seen = positions.seen();
  expect(positions.wasStoredBefore(seen, id(1), true)).toBe(false);
  expect(positions.wasStoredBefore(seen, id(1), false)).toBe(true);
  clock.ms = 6_000;
  positions.hear(beat(5_000));
  expect(positions.wasStoredBefore(seen, id(1), false)).toBe(false);
});

it("reports that it is cut off while the beats of a running process do not arrive", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  clock.ms = 4_000;
  positions.learn(beat(4_000));
  positions.check();
  expect(positions.isCutOff()).toBe(true);
  positions.hear(beat(4_500));
  expect(positions.isCutOff()).toBe(false);
  clock.ms = 8_000;
  positions.check();
  expect(positions.isCutOff()).toBe(false);
});

it("repeats to a socket that connected while a process was silent what no read had found before", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  clock.ms = 20_000;
  const seen = positions.seen();
  clock.ms = 25_000;
  positions.hear(beat(25_000));
  const isOld = (ms: number) => positions.wasStoredBefore(seen, id(ms), false);
  expect([-1, 0, 19_000, 24_000].map(isOld)).toEqual([true, false, false, false]);
});

it("is uncertain what is stored of a process whose position does not rise, and of writes of unknown outcome", () => {
  const { clock, positions } = setUp();
  const end = id(60_000);
  // The process may have been at this position for long.
  positions.hear(beat(-1_000));
  expect(positions.uncertain()).toEqual([[id(-1_000), id(59_000)]]);
  positions.hear(beat(0));
  clock.ms = 1_499;
  expect(positions.uncertain()).toEqual([]);
  clock.ms = 1_500;
  expect(positions.uncertain()).toEqual([[id(0), end]]);
  // One write hangs.
  positions.learn(beat(0));
  expect(positions.uncertain()).toEqual([[id(0), end]]);
  positions.learn(beat(1_500, { unknown: [[id(-20), id(-10)]] }));
  expect(positions.uncertain()).toEqual([[id(-20), id(61_500)]]);
  positions.learn(beat(1_600));
  expect(positions.uncertain()).toEqual([]);
});

it("does not repeat what a read found before a socket connected, although the process ended without saying it", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  const connectedAt = (ms: number) => {
    clock.ms = ms;
    return positions.seen();
  };
  const before = connectedAt(5_000);
  for (const ms of [6_000, 8_000]) {
    clock.ms = ms;
    positions.foundMessage(id(500));
  }
  const after = connectedAt(7_000);
  const wasStoredBefore = (ms: number) => [before, after].map((seen) => positions.wasStoredBefore(seen, id(ms), false));
  expect(wasStoredBefore(500)).toEqual([false, true]);
  expect(wasStoredBefore(501)).toEqual([false, false]);
});

it("judges a socket that connected while a process was heard by what the process had said", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  clock.ms = 1_000;
  const seen = positions.seen();
  clock.ms = 60_000;
  positions.hear(beat(60_000));
  expect(positions.wasStoredBefore(seen, id(1), false)).toBe(false);
});

it("tells what was stored before a socket connected while the outcome of other writes was unknown", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  clock.ms = 10_000;
  positions.hear(beat(10_000, { unknown: [[id(4_000), id(4_010)]], has_lost: true }));
  const seen = positions.seen();
  const wasStoredBefore = (ms: number) => positions.wasStoredBefore(seen, id(ms), true);
  clock.ms = 11_000;
  positions.hear(beat(11_000));
  expect([3_999, 4_000, 4_010, 4_011, 9_999, 10_000].map(wasStoredBefore)).toEqual([
    ...[true, false, false, true, true, false],
  ]);
});

it("reads from the first write of unknown outcome, and once more when it is decided", () => {
  const { clock, positions } = setUp();
  positions.hear(beat(0));
  positions.hear(beat(1_000));
  clock.ms = 10_000;
  positions.hear(beat(10_000, { unknown: [[id(4_000), id(4_010)]], has_lost: true }));
  const read = () => {
    const [missing] = positions.missing();
    missing?.found();
    return missing?.range[0];
  };
  const before = read();
  expect(before !== undefined && before <= id(4_000)).toBe(true);
  expect(read()).toBe(id(4_000));
  clock.ms = 11_000;
  positions.hear(beat(11_000));
  expect(read()).toBe(id(4_000));
  expect(read()).toBeUndefined();
});

describe("with several shards", () => {
  it("has everything up to the earliest of the last beats of the shards", () => {
    const { positions } = setUp(2);
    positions.hear(beat(0), "a");
    positions.hear(beat(0), "b");
    positions.hear(beat(1_000), "a");
    positions.interrupt();
    expect(positions.missing()).toMatchObject([{ range: [id(0), expect.any(String)] }]);
  });

  it("misses events while one shard is silent, and until each shard has a beat again", () => {
    const { clock, positions } = setUp(2);
    for (const shard of ["a", "b"]) positions.hear(beat(0), shard);
    for (clock.ms = 1_000; clock.ms <= 4_000; clock.ms += 1_000) {
      positions.hear(beat(clock.ms), "a");
      positions.check();
    }
    expect(positions.isCutOff()).toBe(true);
    expect(positions.missing()).toMatchObject([{ range: [id(0), expect.any(String)] }]);
    for (const shard of ["b", "a"]) {
      expect(positions.isCutOff()).toBe(true);
      positions.hear(beat(5_000), shard);
      positions.check();
    }
    expect(positions.isCutOff()).toBe(false);
  });

  it("does not count a beat from before an interruption", () => {
    const { positions } = setUp(2);
    positions.hear(beat(0), "a");
    positions.interrupt();
    positions.hear(beat(1_000), "b");
    expect(positions.isCutOff()).toBe(true);
  });

  it("forgets a process when its last beat has come from each shard", () => {
    const { positions } = setUp(2);
    for (const shard of ["a", "b"]) positions.hear(beat(0), shard);
    positions.hear(beat(1_000, { is_last: true }), "a");
    positions.check();
    expect(positions.seen().positions.size).toBe(1);
    positions.hear(beat(1_000, { is_last: true }), "b");
    positions.check();
    expect(positions.seen().positions.size).toBe(0);
  });
});
