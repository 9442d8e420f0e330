// biome-ignore lint/style/noRestrictedImports: this test runs in Node
import { execFileSync } from "node:child_process";
import { dayHeading, dayKey } from "./dayHeading.ts";

const at = (...parts: [number, number, number, number, number]) => new Date(...parts);
const heading = (date: Date, now: Date) => dayHeading(date.toISOString(), now.getTime());

it("is Today for a message of this day", () => {
  expect(heading(at(2024, 0, 8, 0, 0), at(2024, 0, 8, 23, 59))).toBe("Today");
});

it("is Yesterday one minute after midnight for a message one minute before it", () => {
  expect(heading(at(2024, 0, 7, 23, 59), at(2024, 0, 8, 0, 0))).toBe("Yesterday");
});

it("is Yesterday for the whole day before, even 47 hours ago", () => {
  expect(heading(at(2024, 0, 7, 0, 1), at(2024, 0, 8, 23, 59))).toBe("Yesterday");
});

it("is a date for the day before Yesterday", () => {
  expect(heading(at(2024, 0, 6, 23, 59), at(2024, 0, 8, 0, 0))).toBe("Sat Jan 6, 2024");
});

it("has the format Mon Jan 1, 2024", () => {
  expect(heading(at(2024, 0, 1, 12, 0), at(2024, 5, 1, 12, 0))).toBe("Mon Jan 1, 2024");
});

it("includes the year of another year", () => {
  expect(heading(at(2023, 11, 31, 12, 0), at(2024, 0, 2, 12, 0))).toBe("Sun Dec 31, 2023");
});

it("is Yesterday for New Year's Eve on New Year's Day", () => {
  expect(heading(at(2023, 11, 31, 12, 0), at(2024, 0, 1, 12, 0))).toBe("Yesterday");
});

// A process reads its time zone at the start, so each zone needs its own.
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

it.each(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/St_Johns"])(
  "is Today and Yesterday on every day of a year in %s, even when the clocks change",
  (zone) => {
    const options = { env: { ...process.env, TZ: zone }, encoding: "utf8" } as const;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", YEAR_OF_HEADINGS], options);
    expect(output.trim().replace("Calcutta", "Kolkata")).toBe(`${zone},Today Yesterday`);
  },
);

it("has the same key for two times of one local day, and keys that sort by day", () => {
  expect(dayKey(at(2024, 0, 8, 0, 0).toISOString())).toBe(dayKey(at(2024, 0, 8, 23, 59).toISOString()));
  expect(dayKey(at(2024, 8, 30, 12, 0).toISOString()) < dayKey(at(2024, 9, 1, 12, 0).toISOString())).toBe(true);
});
