import { isBlank } from "./blank.ts";

it.each(["", " \n\t", "\u200b", "\u200d\ufe0f", "\u2800\u2800", "\u202e", "\u3164", "\u00ad"])(
  "finds nothing to see in %j",
  (text) => {
    expect(isBlank(text)).toBe(true);
  },
);

it.each([".", "  x", "\u200bx\u200b", "👩‍👩‍👧", "❤️", "\u0301", "ㅤa", "\ue000"])(
  "finds something to see in %j",
  (text) => {
    expect(isBlank(text)).toBe(false);
  },
);
