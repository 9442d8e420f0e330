import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { groupByDay, type Row } from "./groupByDay.ts";

const on = (day: number, hour = 12) => new Date(2024, 0, day, hour).toISOString();
const kinds = (rows: Row[]) => rows.map((row) => (row.kind === "message" ? row.key : row.kind));

it("returns no rows for an empty thread", () => {
  expect(groupByDay([], null)).toEqual([]);
});

it("inserts no heading between messages of one day", () => {
  expect(kinds(groupByDay([aThreadMessage(1), aThreadMessage(2)], null))).toEqual(["m1", "m2"]);
});

it("inserts a heading between two days", () => {
  const rows = groupByDay(
    [
      aThreadMessage(1, { timestamp: on(8, 23) }),
      aThreadMessage(2, { timestamp: on(9, 0) }),
      aThreadMessage(3, { timestamp: on(9, 1) }),
    ],
    null,
  );
  expect(kinds(rows)).toEqual(["m1", "day", "m2", "m3"]);
});

it("changes no existing row for older messages of the same day", () => {
  const rows = groupByDay([aThreadMessage(2), aThreadMessage(3)], null);
  expect(groupByDay([aThreadMessage(1), aThreadMessage(2), aThreadMessage(3)], null).slice(-2)).toEqual(rows);
});

it("changes no existing row for older messages of the day before", () => {
  const rows = groupByDay([aThreadMessage(2), aThreadMessage(3)], null);
  const longer = groupByDay([aThreadMessage(1, { timestamp: on(7) }), aThreadMessage(2), aThreadMessage(3)], null);
  expect(kinds(longer)).toEqual(["m1", "day", "m2", "m3"]);
  expect(longer.slice(-2)).toEqual(rows);
});

it("gives the line of new messages the time of the first one", () => {
  const [first, second] = [aThreadMessage(1), aThreadMessage(2)];
  expect(groupByDay([first, second], 2)[1]).toMatchObject({ kind: "unread", timestamp: second.timestamp });
});

it("inserts the line of new messages above the first unread one", () => {
  expect(kinds(groupByDay([aThreadMessage(1), aThreadMessage(2), aThreadMessage(3)], 2))).toEqual([
    "m1",
    "unread",
    "m2",
    "m3",
  ]);
});

it("inserts the line below the day's heading", () => {
  const rows = groupByDay([aThreadMessage(1, { timestamp: on(7) }), aThreadMessage(2)], 2);
  expect(kinds(rows)).toEqual(["m1", "day", "unread", "m2"]);
});

it("does not treat own messages as unread", () => {
  const rows = groupByDay([aThreadMessage(1), aThreadMessage(2, { isMine: true }), aThreadMessage(3)], 2);
  expect(kinds(rows)).toEqual(["m1", "m2", "unread", "m3"]);
});

it("does not treat unsent messages as unread", () => {
  expect(kinds(groupByDay([aThreadMessage(1, { seq: null, key: "x" })], 1))).toEqual(["x"]);
});

it("marks a message as followed if the next one has the same sender and day", () => {
  const rows = groupByDay(
    [
      aThreadMessage(1),
      aThreadMessage(2),
      aThreadMessage(3, { isMine: true }),
      aThreadMessage(4, { isMine: true, timestamp: on(9) }),
    ],
    null,
  );
  const followed = rows.map((row) => row.kind === "message" && row.isFollowed);
  expect(followed).toEqual([true, false, false, false, false]);
});

it("gives every row a unique key", () => {
  const messages = Array.from({ length: 500 }, (_, index) => aThreadMessage(index, { timestamp: on(index % 30) }));
  const rows = groupByDay(messages, 250);
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
});
