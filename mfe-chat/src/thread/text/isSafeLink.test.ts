import { isSafeLink } from "./isSafeLink.ts";

it.each(["https://a.example", "http://a.example/x:y", "HTTPS://A.EXAMPLE", "mailto:a@b.example", "a.example/path"])(
  "accepts %s as a link",
  (address) => {
    expect(isSafeLink(address)).toBe(true);
  },
);

it("does not treat a port as a scheme", () => {
  expect(isSafeLink("a.example:8080/path")).toBe(true);
});

it.each([
  "https://münchen.example",
  "https://пример.рф/путь",
  "a@b.example",
  "https://a.example/@b",
  "https://a.example/?q=а",
])("accepts %s, which looks like no other address", (address) => {
  expect(isSafeLink(address)).toBe(true);
});

it.each([
  ["https://bank.example:443@evil.example", "a name before the host"],
  ["http://user:pass@a.example/", "a password"],
  ["https://\u0430pple.com", "a Cyrillic letter between Latin ones"],
  ["https://\u0430\u0440\u0440\u04cf\u0435.com", "Cyrillic letters under a Latin domain"],
  ["p\u0430ypal.com", "a Cyrillic letter without a scheme"],
])("rejects %s, which has %s", (address) => {
  expect(isSafeLink(address)).toBe(false);
});

it.each(["javascript:alert(1)", "JavaScript://a.example", "data:text/html,x", "ftp://a.example", "file:///etc"])(
  "rejects %s as a link",
  (address) => {
    expect(isSafeLink(address)).toBe(false);
  },
);
