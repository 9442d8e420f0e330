// biome-ignore lint/style/noRestrictedImports: a test runs in Node
import { execFileSync } from "node:child_process";
import { dayHeading, dayKey } from "./dayHeading.ts";

const at = (...parts: [number, number, number, number, number]) => new Date(...parts);
const heading = (date: Date, now: Date) => dayHeading(date.toISOString(), now.getTime());

test("a message of this day stands under Today", () => {
  expect(heading(at(2024, 0, 8, 0, 0), at(2024, 0, 8, 23, 59))).toBe("Today");
});

test("one minute before midnight is Yesterday one minute after it", () => {
  expect(heading(at(2024, 0, 7, 23, 59), at(2024, 0, 8, 0, 0))).toBe("Yesterday");
});

test("the whole day before is Yesterday, even 47 hours ago", () => {
  expect(heading(at(2024, 0, 7, 0, 1), at(2024, 0, 8, 23, 59))).toBe("Yesterday");
});

test("the day before that has its date", () => {
  expect(heading(at(2024, 0, 6, 23, 59), at(2024, 0, 8, 0, 0))).toBe("Sat Jan 6, 2024");
});

test("a date has the form of Mon Jan 1, 2024", () => {
  expect(heading(at(2024, 0, 1, 12, 0), at(2024, 5, 1, 12, 0))).toBe("Mon Jan 1, 2024");
});

test("a date of another year names that year", () => {
  expect(heading(at(2023, 11, 31, 12, 0), at(2024, 0, 2, 12, 0))).toBe("Sun Dec 31, 2023");
});

test("New Year's Eve is Yesterday on New Year's Day", () => {
  expect(heading(at(2023, 11, 31, 12, 0), at(2024, 0, 1, 12, 0))).toBe("Yesterday");
});

// A process takes its time zone from its start.
const YEAR_OF_HEADINGS = `
  import { dayHeading } from ${JSON.stringify(`${__dirname}/dayHeading.ts`)};
  const at = (...parts) => new Date(2024, 0, ...parts);
  const heading = (date, now) => dayHeading(date.toISOString(), now.getTime());
  const seen = new Set();
  for (let day = 1; day <= 366; day++) {
    seen.add(heading(at(day, 0, 30), at(day, 23, 30)) + " " + heading(at(day - 1, 23, 30), at(day, 0, 30)));
  }
  console.log([Intl.DateTimeFormat().resolvedOptions().timeZone, ...seen].join());
`;

test.each(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/St_Johns"])(
  "every day of a year has its Today and its Yesterday in %s, also when the clocks change",
  (zone) => {
    const options = { env: { ...process.env, TZ: zone }, encoding: "utf8" } as const;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", YEAR_OF_HEADINGS], options);
    expect(output.trim().replace("Calcutta", "Kolkata")).toBe(`${zone},Today Yesterday`);
  },
);

test("two times of one local day have the same key, and keys of later days sort later", () => {
  expect(dayKey(at(2024, 0, 8, 0, 0).toISOString())).toBe(dayKey(at(2024, 0, 8, 23, 59).toISOString()));
  expect(dayKey(at(2024, 8, 30, 12, 0).toISOString()) < dayKey(at(2024, 9, 1, 12, 0).toISOString())).toBe(true);
});
