import { SELECTED_MAX, withChosen } from "./selection.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("a selection of messages", () => {
  it("gains and loses messages", () => {
    const selection = withChosen({ from: "a", seqs: new Set([1]) }, [2, 3], true);
    expect([...selection.seqs]).toEqual([1, 2, 3]);
    expect([...withChosen(selection, [1, 3], false).seqs]).toEqual([2]);
  });

  it("has a bound, and takes another message when one is left out", () => {
    const full = withChosen({ from: "a", seqs: new Set([1]) }, upTo(SELECTED_MAX + 1), true);
    expect(full.seqs).toEqual(new Set(upTo(SELECTED_MAX)));
    const changed = withChosen(withChosen(full, [1], false), [500, 501], true);
    expect(changed.seqs.size).toBe(SELECTED_MAX);
    expect(changed.seqs.has(500)).toBe(true);
  });
});
