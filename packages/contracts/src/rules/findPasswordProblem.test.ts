import { isPasswordTooShort } from "./findPasswordProblem.ts";

describe("isPasswordTooShort", () => {
  it("accepts an empty password, which counts as missing instead", () => {
    expect(isPasswordTooShort("")).toBe(false);
  });

  it("rejects 7 characters and accepts 8", () => {
    expect(isPasswordTooShort("1234567")).toBe(true);
    expect(isPasswordTooShort("12345678")).toBe(false);
  });

  it("counts an emoji as one character", () => {
    expect(isPasswordTooShort("🦊🦊🦊🦊")).toBe(true);
    expect(isPasswordTooShort("🦊🦊🦊🦊🦊🦊🦊🦊")).toBe(false);
  });
});
