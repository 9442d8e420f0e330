import { containsLink, webLink } from "./linkPreviews.ts";
import { safeParse } from "./parse.ts";

it.each([
  ["See https://a.example/page", "https://a.example/page", true],
  ["See a.example.", "https://a.example", true],
  ["(https://a.example/page)", "https://a.example/page", true],
  ["*https://a.example/page*", "https://a.example/page", true],
  ["https://a.example/page, and more", "https://a.example/page", true],
  ["https://a.example/page/2 https://a.example/page", "https://a.example/page", true],
  ["https://a.example/page/2", "https://a.example/page", false],
  ["https://a.example/page?x=1", "https://a.example/page", false],
  ["a.example.org", "https://a.example", false],
  ["https://b.a.example", "https://a.example", false],
  ["me@a.example", "https://a.example", false],
  ["nothing", "https://a.example", false],
  ["", "https://a.example", false],
])("knows whether %j contains the link %s: %s", (text, url, contains) => {
  expect(containsLink(text, url)).toBe(contains);
});

it.each([
  ["https://a.example", true],
  ["HTTP://a.example/ä", true],
  ["javascript:alert(1)", false],
  ["file:///etc/passwd", false],
  ["https://", false],
  ["a.example", false],
  [`https://a.example/${"a".repeat(2_000)}`, false],
])("accepts %s as a link: %s", (link, isLink) => {
  expect(safeParse(webLink, link).success).toBe(isLink);
});
