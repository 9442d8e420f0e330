import { PASSWORD_IS_NAME, PASSWORD_TOO_COMMON, passwordWeakness } from "./passwordWeakness.ts";

it.each([
  "password",
  "PassWord",
  "12345678",
  "qwertyuiop",
  "password1234",
  "password!!",
  "trustno1",
  "ＰＡＳＳＷＯＲＤ",
  "zzzzzzzzzz",
])("rejects %s as too common", (password) => {
  expect(passwordWeakness(password, "Albus")).toBe(PASSWORD_TOO_COMMON);
});

it.each([
  ["Minerva212", "minerva212"],
  ["Minerva", "MINERVA1234!"],
  ["Zoë Bell", "12zoë bell"],
])("rejects, for the user %s, the password %s as their name", (name, password) => {
  expect(passwordWeakness(password, name)).toBe(PASSWORD_IS_NAME);
});

it.each([
  ["Minerva", "minerva likes tabby cats"],
  ["Al", "al-12345-98"],
  ["Albus", "sherbet-lemon"],
  ["Albus", "phoenix!"],
  ["Albus", "alohomora"],
  ["", "a long password"],
])("accepts, for the user %s, the password %s", (name, password) => {
  expect(passwordWeakness(password, name)).toBeNull();
});
