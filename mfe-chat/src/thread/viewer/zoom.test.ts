import { moved, SCALE_MAX, WHOLE, zoomed } from "./zoom.ts";

const STAGE = { width: 1000, height: 600 };
const PICTURE = { width: 800, height: 600 };

it("keeps the point under the pointer in its place", () => {
  const at = { x: 300, y: -200 };
  const view = zoomed(WHOLE, 2, at, STAGE, PICTURE);
  // The point is at 300 px of the whole picture, and at twice that of the zoomed one.
  expect(view.x + 2 * at.x).toBeCloseTo(at.x);
  expect(view.y + 2 * at.y).toBeCloseTo(at.y);
});

it("has a smallest and a largest scale, and shows the whole picture in the middle", () => {
  const close = zoomed(WHOLE, 100, { x: 100, y: 100 }, STAGE, PICTURE);
  expect(close.scale).toBe(SCALE_MAX);
  expect(zoomed(close, 0.001, { x: 50, y: 0 }, STAGE, PICTURE)).toEqual(WHOLE);
});

it("does not move the picture off the stage", () => {
  const view = zoomed(WHOLE, 2, { x: 0, y: 0 }, STAGE, PICTURE);
  expect(moved(view, { x: 9999, y: -9999 }, STAGE, PICTURE)).toEqual({ scale: 2, x: 300, y: -300 });
  expect(moved(WHOLE, { x: 50, y: 50 }, STAGE, PICTURE)).toEqual(WHOLE);
});
