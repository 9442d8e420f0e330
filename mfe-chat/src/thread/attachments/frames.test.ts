import { fileSize } from "../../ui/fileSize.ts";
import { shapeOf } from "./frames.ts";

it.each([
  ["a wide picture", [[2000, 1000]], { width: 1, height: 0.5 }],
  ["a panorama, cut", [[4000, 400]], { width: 1, height: 0.4 }],
  ["a square", [[10, 10]], { width: 1, height: 1 }],
  ["a portrait", [[1000, 2000]], { width: 0.6, height: 1.2 }],
  ["a long screenshot, cut", [[100, 4000]], { width: 0.5, height: 1.2 }],
  [
    "two",
    [
      [1, 9],
      [9, 1],
    ],
    { width: 1, height: 0.5 },
  ],
  [
    "three",
    [
      [1, 9],
      [9, 1],
      [1, 1],
    ],
    { width: 1, height: 2 / 3 },
  ],
  [
    "five",
    [
      [1, 9],
      [9, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ],
    { width: 1, height: 1 },
  ],
  ["a picture of unknown size", [[0, 0]], { width: 1, height: 1 }],
] as const)("gives %s its space before it is loaded", (_, sizes, shape) => {
  expect(shapeOf(sizes.map(([width, height]) => ({ width, height })))).toEqual(shape);
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [23_600, "24 kB"],
  [999_499, "999 kB"],
  [999_600, "1.0 MB"],
  [100_000_000, "100 MB"],
  [1_234_000_000, "1.2 GB"],
])("shows %d bytes as %s", (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});
