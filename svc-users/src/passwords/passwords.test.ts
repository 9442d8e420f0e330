import { createPasswords } from "./passwords.ts";

const BENCH = { atOnce: 1, waitingMax: 10 };

it("tells a right password from a wrong one and from none", async () => {
  const passwords = await createPasswords(4, BENCH);
  const hash = await passwords.hash("phoenix!", "here");
  expect(await passwords.matches("phoenix!", hash, "here")).toBe(true);
  expect(await passwords.matches("Phoenix!", hash, "here")).toBe(false);
  expect(await passwords.matches("nobody's password", undefined, "here")).toBe(false);
});

it("does not take a password for right because its first 72 bytes are", async () => {
  const passwords = await createPasswords(4, BENCH);
  const longest = "ü".repeat(36);
  const hash = await passwords.hash(longest, "here");
  expect(await passwords.matches(longest, hash, "here")).toBe(true);
  expect(await passwords.matches(`${longest}x`, hash, "here")).toBe(false);
});
