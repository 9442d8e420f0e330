import { searchContacts } from "./searchContacts.ts";

const friends = ["Albus", "Minerva", "albert", "Al.us"].map((name) => ({ id: name, name, avatar_id: "dog-id" }));
const found = (text: string) => searchContacts(friends, text).map(({ name }) => name);

it("returns names that contain the text, in the order of the list", () => {
  expect(found("er")).toEqual(["Minerva", "albert"]);
});

it("ignores the case", () => {
  expect(found("AL")).toEqual(["Albus", "albert", "Al.us"]);
});

it("treats the text as plain text", () => {
  expect(found("l.u")).toEqual(["Al.us"]);
});

it("ignores spaces around the text", () => {
  expect(found(" minerva ")).toEqual(["Minerva"]);
});

it("returns nobody for an empty text", () => {
  expect(found("  ")).toEqual([]);
});
