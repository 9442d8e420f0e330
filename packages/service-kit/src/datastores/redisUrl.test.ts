import { isRedisUrl, parseRedisUrl } from "./redisUrl.ts";

it.each([
  ["redis://a", { kind: "node", hosts: [{ host: "a", port: 6379 }], isTls: false }],
  ["redis://:p%40w@a:1/2", { kind: "node", hosts: [{ host: "a", port: 1 }], password: "p@w" }],
  [
    "rediss://user:pw@a:1,b:2,[::1]:3",
    {
      kind: "cluster",
      hosts: [
        { host: "a", port: 1 },
        { host: "b", port: 2 },
        { host: "::1", port: 3 },
      ],
      username: "user",
      password: "pw",
      isTls: true,
    },
  ],
  [
    "redis+sentinel://:pw@a,b:2/main",
    {
      kind: "sentinel",
      hosts: [
        { host: "a", port: 26379 },
        { host: "b", port: 2 },
      ],
      name: "main",
      password: "pw",
    },
  ],
])("reads %s", (url, parts) => {
  expect(parseRedisUrl(url)).toMatchObject(parts);
});

it.each(["", "a:1", "http://a:1", "redis://", "redis://a,,b", "redis://a:x", "redis://a,b/1", "redis+sentinel://a:1"])(
  "refuses %p",
  (url) => {
    expect(isRedisUrl(url)).toBe(false);
  },
);
