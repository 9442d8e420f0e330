import { isEmojiOnly } from "./isEmojiOnly.ts";

describe("isEmojiOnly", () => {
  it.each(["🦊", "🦊 🎉", "👍🏽", "❤️", "👩‍👩‍👧‍👦", "🇳🇱", "🦊🦊🦊🦊🦊🦊"])("is true for %s", (text) => {
    expect(isEmojiOnly(text)).toBe(true);
  });

  it.each(["", "7", "1, 2", "*", "🦊!", "hi 🦊", "🦊🦊🦊🦊🦊🦊🦊"])("is false for %j", (text) => {
    expect(isEmojiOnly(text)).toBe(false);
  });
});
