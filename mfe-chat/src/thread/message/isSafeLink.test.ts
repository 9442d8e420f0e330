import { isSafeLink } from "./isSafeLink.ts";

test.each(["https://a.example", "http://a.example/x:y", "HTTPS://A.EXAMPLE", "mailto:a@b.example", "a.example/path"])(
  "%s may be a link",
  (address) => {
    expect(isSafeLink(address)).toBe(true);
  },
);

test("a port is no scheme", () => {
  expect(isSafeLink("a.example:8080/path")).toBe(true);
});

test.each(["javascript:alert(1)", "JavaScript://a.example", "data:text/html,x", "ftp://a.example", "file:///etc"])(
  "%s stays text",
  (address) => {
    expect(isSafeLink(address)).toBe(false);
  },
);
