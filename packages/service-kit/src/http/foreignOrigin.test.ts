import { isForeign } from "./foreignOrigin.ts";

const host = "chat.example:8080";

it.each([
  ["the page itself", { origin: "http://chat.example:8080" }],
  ["the page itself over https", { origin: "https://chat.example:8080", "x-forwarded-proto": "https" }],
  ["a page that the browser calls the same", { "sec-fetch-site": "same-origin" }],
  ["an address that was typed", { "sec-fetch-site": "none" }],
  ["a client that is no browser", {}],
])("%s is not foreign", (_, headers) => {
  expect(isForeign({ host, ...headers })).toBe(false);
});

it.each([
  ["another site", { origin: "http://evil.example" }],
  ["another port", { origin: "http://chat.example:8081" }],
  ["another scheme", { origin: "http://chat.example:8080", "x-forwarded-proto": "https" }],
  ["a host that begins alike", { origin: "http://chat.example:8080.evil.example" }],
  ["a sandbox", { origin: "null" }],
  ["nothing", { origin: "" }],
  ["another origin of the same site, unnamed", { "sec-fetch-site": "same-site" }],
  ["another site, unnamed", { "sec-fetch-site": "cross-site" }],
  ["another site that claims a kind relation", { origin: "http://evil.example", "sec-fetch-site": "same-origin" }],
])("%s is foreign", (_, headers) => {
  expect(isForeign({ host, ...headers })).toBe(true);
});
