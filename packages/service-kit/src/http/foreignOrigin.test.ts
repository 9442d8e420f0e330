import { isForeign } from "./foreignOrigin.ts";

const host = "chat.example:8080";

it.each([
  ["the page itself", { origin: "http://chat.example:8080" }],
  ["the page itself over https", { origin: "https://chat.example:8080", "x-forwarded-proto": "https" }],
  ["a page that the browser reports as same-origin", { "sec-fetch-site": "same-origin" }],
  ["an address that the user typed", { "sec-fetch-site": "none" }],
  ["a client that is not a browser", {}],
])("accepts %s", (_, headers) => {
  expect(isForeign({ host, ...headers })).toBe(false);
});

it.each([
  ["another site", { origin: "http://evil.example" }],
  ["another port", { origin: "http://chat.example:8081" }],
  ["another scheme", { origin: "http://chat.example:8080", "x-forwarded-proto": "https" }],
  ["a host with the same prefix", { origin: "http://chat.example:8080.evil.example" }],
  ["a sandboxed page", { origin: "null" }],
  ["an empty origin", { origin: "" }],
  ["another origin of the same site, without Origin", { "sec-fetch-site": "same-site" }],
  ["another site, without Origin", { "sec-fetch-site": "cross-site" }],
  ["another site that claims to be same-origin", { origin: "http://evil.example", "sec-fetch-site": "same-origin" }],
])("recognises %s as foreign", (_, headers) => {
  expect(isForeign({ host, ...headers })).toBe(true);
});
