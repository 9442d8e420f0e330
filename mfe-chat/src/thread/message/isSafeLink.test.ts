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

it.each(["javascript:alert(1)", "JavaScript://a.example", "data:text/html,x", "ftp://a.example", "file:///etc"])(
  "rejects %s as a link",
  (address) => {
    expect(isSafeLink(address)).toBe(false);
  },
);
