import { isPasswordTooShort, limitName, missingFields, nameError } from "./validation.ts";

describe("missingFields", () => {
  it("names every empty field of the registration in the order of the form", () => {
    expect(missingFields({ avatar: null, password: "", name: "" })).toEqual(["name", "password", "avatar"]);
  });

  it("finds nothing missing in a full form", () => {
    expect(missingFields({ name: "Albus212", password: "sherbet-lemon", avatar: "fox-id" })).toEqual([]);
  });

  it("names only the avatar when none is chosen", () => {
    expect(missingFields({ name: "Albus212", password: "sherbet-lemon", avatar: null })).toEqual(["avatar"]);
  });

  it("takes a name of spaces for missing, but not a password of spaces", () => {
    expect(missingFields({ name: "   ", password: "        " })).toEqual(["name"]);
  });

  it("asks a login for no avatar", () => {
    expect(missingFields({ name: "", password: "" })).toEqual(["name", "password"]);
  });
});

describe("isPasswordTooShort", () => {
  it("leaves an empty password to the missing fields", () => {
    expect(isPasswordTooShort("")).toBe(false);
  });

  it("refuses 7 characters and takes 8", () => {
    expect(isPasswordTooShort("1234567")).toBe(true);
    expect(isPasswordTooShort("12345678")).toBe(false);
  });

  it("counts characters as people do", () => {
    expect(isPasswordTooShort("🦊🦊🦊🦊")).toBe(true);
    expect(isPasswordTooShort("🦊🦊🦊🦊🦊🦊🦊🦊")).toBe(false);
  });
});

describe("nameError", () => {
  it("names what a username may not contain", () => {
    expect(nameError("Albus\u202e")).toBe("Username contains invalid characters");
    expect(nameError("Albus\u0301\u0302\u0303\u0304\u0305")).toBe("Username has too many accents on one letter");
  });

  it("leaves an empty name to the missing fields", () => {
    expect([nameError(""), nameError("  "), nameError("Albus212")]).toEqual([null, null, null]);
  });
});

describe("limitName", () => {
  it("takes 30 characters and no more", () => {
    expect(limitName("a".repeat(30))).toBe("a".repeat(30));
    expect(limitName("a".repeat(31))).toBe("a".repeat(30));
  });

  it("never cuts an emoji in half", () => {
    expect(limitName("🦊".repeat(31))).toBe("🦊".repeat(30));
  });
});
