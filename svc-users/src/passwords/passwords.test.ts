import { createPasswords } from "./passwords.ts";

const QUEUE = { atOnce: 1, waitingMax: 10 };

it("accepts the correct password, and rejects a wrong one and a missing hash", async () => {
  const passwords = await createPasswords(4, QUEUE);
  const hash = await passwords.hash("phoenix!", "here");
  expect(await passwords.matches("phoenix!", hash, "here")).toBe(true);
  expect(await passwords.matches("Phoenix!", hash, "here")).toBe(false);
  expect(await passwords.matches("nobody's password", undefined, "here")).toBe(false);
});

it("rejects a longer password whose first 72 bytes are correct", async () => {
  const passwords = await createPasswords(4, QUEUE);
  const longest = "ü".repeat(36);
  const hash = await passwords.hash(longest, "here");
  expect(await passwords.matches(longest, hash, "here")).toBe(true);
  expect(await passwords.matches(`${longest}x`, hash, "here")).toBe(false);
});
