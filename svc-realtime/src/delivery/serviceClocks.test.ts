import { ANY_PROCESS, processOf, ServiceClocks } from "./serviceClocks.ts";

let now = 1_000;
const create = () => new ServiceClocks(() => now);
beforeEach(() => {
  now = 1_000;
});

it("converts by the smallest difference between arrival and time", () => {
  const clocks = create();
  for (const transit of [40, 5, 3_000]) {
    now += 100;
    clocks.observe("a", now + 50_000 - transit);
  }
  expect(clocks.toLocal("a", 51_100)).toBe(1_105);
});

it("keeps the processes apart, and uses that of any process for an unknown one", () => {
  const clocks = create();
  expect(clocks.toLocal("a", 7)).toBeUndefined();
  clocks.observe("a", 500);
  expect(clocks.toLocal("b", 0)).toBe(500);
  clocks.observe(ANY_PROCESS, 900);
  expect([clocks.toLocal("a", 0), clocks.toLocal("b", 0), clocks.timeAt(now)]).toEqual([500, 100, 900]);
});

it("follows a clock that was set back after two minutes, by events alone", () => {
  const clocks = create();
  clocks.observe("a", 10_000);
  for (let minute = 0; minute < 3; minute += 1) {
    now += 61_000;
    clocks.observe("a", now);
  }
  expect(clocks.toLocal("a", 5)).toBe(5);
});

it("measures a process by its first response no less exactly than the others, however long the response took", () => {
  const clocks = create();
  clocks.observe(ANY_PROCESS, now - 10);
  const requestedAt = now;
  const respondedAt = now + 1;
  now += 10_000;
  clocks.observe("a", respondedAt, requestedAt);
  expect(clocks.toLocal("a", respondedAt)).toBe(respondedAt + 10);
  // The clock of this process is five seconds behind the others, which its response shows.
  clocks.observe("b", now - 5_000, now - 1);
  expect(clocks.toLocal("b", now - 5_000)).toBe(now - 1);
});

it("follows a clock that was set back with the next response", () => {
  const clocks = create();
  clocks.observe("a", now);
  now += 100;
  clocks.observe("a", now - 5_000, now - 2);
  expect(clocks.toLocal("a", now - 5_000)).toBe(now - 2);
});

it("ignores an event with a time that a response has ruled out", () => {
  const clocks = create();
  clocks.observe("a", now, now - 1);
  now += 100;
  clocks.observe("a", now + 5_000);
  expect(clocks.toLocal("a", now)).toBe(now);
});

it("follows a clock that runs ahead slowly", () => {
  const clocks = create();
  clocks.observe("a", now, now - 1);
  for (const ahead of [40, 80, 120]) {
    now += 61_000;
    clocks.observe("a", now + ahead, now - 1);
  }
  expect(clocks.toLocal("a", now + 120)).toBe(now);
});

it("reads the process of a message from its id", () => {
  expect(processOf("0123456789abc0ffee000001")).toBe("c0ffee");
});
