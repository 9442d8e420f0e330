import { clockTime, messageStamp, shortAge } from "./relativeTime.ts";

const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOW - ms).toISOString();

describe("time label of a message", () => {
  it.each([
    ["now", 0],
    ["now", 59 * SECOND],
    ["1 minute ago", MINUTE],
    ["1 minute ago", 2 * MINUTE - 1],
    ["2 minutes ago", 2 * MINUTE],
    ["59 minutes ago", HOUR - 1],
  ])("is %j", (label, age) => {
    expect(messageStamp(ago(age), NOW)).toBe(label);
  });

  it("is the clock time from one hour on", () => {
    expect(messageStamp(ago(HOUR), NOW)).toBe(clockTime(ago(HOUR)));
    expect(messageStamp(ago(400 * DAY), NOW)).toMatch(/^\d\d:\d\d$/);
  });

  it("is now if the sender's clock is ahead", () => {
    expect(messageStamp(ago(-5 * MINUTE), NOW)).toBe("now");
  });
});

describe("clock time", () => {
  it("has two digits each for hour and minute", () => {
    expect(clockTime(new Date(2026, 2, 10, 7, 5).toISOString())).toBe("07:05");
  });

  it("is local and uses 24 hours", () => {
    expect(clockTime(new Date(2026, 2, 10, 23, 59).toISOString())).toBe("23:59");
    expect(clockTime(new Date(2026, 2, 10, 0, 0).toISOString())).toBe("00:00");
  });
});

it.each([
  ["now", -MINUTE],
  ["now", 59 * SECOND],
  ["1min", MINUTE],
  ["59min", HOUR - 1],
  ["1h", HOUR],
  ["23h", DAY - 1],
  ["a day", DAY],
  ["a day", 2 * DAY - 1],
  ["2 days", 2 * DAY],
  ["6 days", 7 * DAY - 1],
  ["a week", 7 * DAY],
  ["2 weeks", 14 * DAY],
  ["8 weeks", 59 * DAY],
  ["2 months", 60 * DAY],
  ["12 months", 364 * DAY],
  ["a year", 365 * DAY],
  ["a year", 729 * DAY],
  ["24 months", 730 * DAY],
])("returns the short age %j", (label, age) => {
  expect(shortAge(ago(age), NOW)).toBe(label);
});
