import { Counts } from "./counts.ts";

it("counts per key, and forgets a key without a count", () => {
  const counts = new Counts();
  expect([counts.add("ann", 1), counts.add("ann", 1), counts.add("bob", 1)]).toEqual([1, 2, 1]);
  expect([counts.add("ann", -1), counts.of("ann"), counts.of("cid")]).toEqual([1, 1, 0]);
  expect(counts.add("ann", -1)).toBe(0);
  expect([...counts.keys()]).toEqual(["bob"]);
});
