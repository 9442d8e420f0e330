import { aMessage, messagesBetween } from "../../../testing/builders.ts";
import { insertMessages, messageAt, type Segment, segmentWith } from "./segments.ts";

const numbers = (segments: readonly Segment[]) =>
  segments.map(({ messages }) => messages.map((message) => message.seq));

const held = (from: number, to: number): Segment => ({ from, to, messages: messagesBetween(from, to) });

describe("insertMessages", () => {
  it("creates one segment from consecutive numbers", () => {
    expect(numbers(insertMessages([], messagesBetween(3, 5)))).toEqual([[3, 4, 5]]);
  });

  it("sorts messages in any order", () => {
    const mixed = [aMessage({ seq: 3 }), aMessage({ seq: 1 }), aMessage({ seq: 2 })];
    expect(numbers(insertMessages([], mixed))).toEqual([[1, 2, 3]]);
  });

  it("keeps segments separate that do not touch", () => {
    const segments = insertMessages([held(1, 2)], messagesBetween(5, 6));
    expect(numbers(segments)).toEqual([
      [1, 2],
      [5, 6],
    ]);
  });

  it("joins two segments when the numbers between them arrive", () => {
    const apart = insertMessages([held(1, 2)], messagesBetween(5, 6));
    expect(numbers(insertMessages(apart, messagesBetween(3, 4)))).toEqual([[1, 2, 3, 4, 5, 6]]);
  });

  it("joins segments that overlap", () => {
    const segments = insertMessages([held(1, 4), held(8, 9)], messagesBetween(3, 8));
    expect(numbers(segments)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it("keeps the segments if nothing is new", () => {
    const segments = [held(1, 3)];
    expect(insertMessages(segments, [aMessage({ seq: 2 })])).toBe(segments);
  });

  it("keeps the identity of a message that arrives again", () => {
    const segments = insertMessages([], messagesBetween(1, 2));
    const again = insertMessages(segments, messagesBetween(1, 3));
    expect(messageAt(again, 1)).toBe(messageAt(segments, 1));
  });

  it("replaces a known message by a newer state of it, and never by an older one", () => {
    const changed = aMessage({ seq: 2, change: 5, text: "Changed" });
    const segments = insertMessages([held(1, 3)], [changed]);
    expect([numbers(segments), messageAt(segments, 2)]).toEqual([[[1, 2, 3]], changed]);
    expect(insertMessages(segments, messagesBetween(1, 3))).toBe(segments);
    expect(insertMessages(segments, [{ ...changed, change: 4 }])).toBe(segments);
  });

  it("adds a message once that is twice in a response", () => {
    expect(numbers(insertMessages([], [aMessage({ seq: 1 }), aMessage({ seq: 1 })]))).toEqual([[1]]);
  });

  it("ignores the empty starting message of a thread", () => {
    expect(insertMessages([], [aMessage({ seq: 0, text: "" })])).toEqual([]);
  });

  it("joins two segments if nothing exists between them", () => {
    const segments = insertMessages([held(1, 3), held(8, 9)], [aMessage({ seq: 6 })], { from: 4, to: 7 });
    expect(numbers(segments)).toEqual([[1, 2, 3, 6, 8, 9]]);
    expect(segments).toMatchObject([{ from: 1, to: 9 }]);
    expect([1, 4, 5, 6, 7, 8, 9].map((seq) => messageAt(segments, seq)?.seq)).toEqual([
      1,
      undefined,
      undefined,
      6,
      undefined,
      8,
      9,
    ]);
  });

  it("extends a segment to where nothing exists", () => {
    expect(insertMessages([held(3, 5)], [], { from: 1, to: 2 })).toMatchObject([{ from: 1, to: 5 }]);
    expect(insertMessages([held(3, 5)], [], { from: 8, to: 9 })).toEqual([held(3, 5)]);
  });

  it("adds a message whose number was reported not to exist", () => {
    const segments = insertMessages([], [aMessage({ seq: 1 }), aMessage({ seq: 3 })], { from: 1, to: 3 });
    expect(numbers(insertMessages(segments, [aMessage({ seq: 2 })]))).toEqual([[1, 2, 3]]);
  });

  it("finds the segment that contains a number", () => {
    const segments = [held(1, 3), held(7, 9)];
    expect(segmentWith(segments, 8)).toBe(segments[1]);
    expect(segmentWith(segments, 5)).toBeUndefined();
  });
});
