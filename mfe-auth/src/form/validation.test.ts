import { nameError } from "../register/registration.ts";
import { missingFields } from "./validation.ts";

describe("missingFields", () => {
  it("returns every empty field of the registration in form order", () => {
    expect(missingFields({ avatar: null, password: "", name: "" })).toEqual(["name", "password", "avatar"]);
  });

  it("returns no field for a complete form", () => {
    expect(missingFields({ name: "Albus212", password: "sherbet-lemon", avatar: "fox-id" })).toEqual([]);
  });

  it("returns only the avatar if none is chosen", () => {
    expect(missingFields({ name: "Albus212", password: "sherbet-lemon", avatar: null })).toEqual(["avatar"]);
  });

  it("treats a name of spaces as missing, but not a password of spaces", () => {
    expect(missingFields({ name: "   ", password: "        " })).toEqual(["name"]);
  });

  it("does not require an avatar for a login", () => {
    expect(missingFields({ name: "", password: "" })).toEqual(["name", "password"]);
  });
});

describe("nameError", () => {
  it("returns what a username may not contain", () => {
    expect(nameError("Albus\u202e")).toBe("Username contains invalid characters");
    expect(nameError("Albus\u0301\u0302\u0303\u0304\u0305")).toBe("Username has too many accents on one letter");
  });

  it("accepts an empty name, which counts as missing instead", () => {
    expect([nameError(""), nameError("  "), nameError("Albus212")]).toEqual([null, null, null]);
  });
});
