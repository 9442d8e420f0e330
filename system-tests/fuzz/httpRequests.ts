import type { Endpoint } from "@messageoh/contracts/endpoint";
import fc from "fast-check";
import CORPUS from "./corpus.json" with { type: "json" };
import { hostileObject, hostileValue } from "./hostile.ts";
import { fieldsOf, INTERNAL_ENDPOINTS, PUBLIC_ENDPOINTS, type Values } from "./sample.ts";
import { escapeRest, TEXTS } from "./texts.ts";

/** A request whose body is bytes. */
export interface HostileRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const PREFIX = "/messageoh";
const INTERNAL = INTERNAL_ENDPOINTS.map(({ endpoint }) => endpoint);
const ENDPOINTS = [...PUBLIC_ENDPOINTS, ...INTERNAL];
const QUERY_FIELDS = [...new Set(ENDPOINTS.flatMap(({ query }) => fieldsOf(query)))];

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "LINK"];
const HEADERS: Record<string, string | undefined>[] = [
  ...CORPUS.headers,
  { "x-request-id": "x".repeat(3_000) },
  { cookie: `messageoh_session=${"x".repeat(6_000)}` },
];

const param = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }).map(encodeURIComponent),
  hostileValue.map((value) => encodeURIComponent(value.slice(0, 300))),
  fc.constantFrom(...TEXTS.map((text) => escapeRest(text).slice(0, 300))),
);

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...QUERY_FIELDS, "__proto__"), param), { maxLength: 5 })
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ..."?limit[$gt]=1 ?limit=1&limit=2 ?search[$regex]=.* ?__proto__[a]=1 ?limit=1e9 ?limit=-1 ?&&==&".split(" "),
      `?${"a=1&".repeat(1_000)}`,
    ),
  },
);

/** Attempts to reach a path that the gateway must not route. */
const TRICKS: ((path: string) => string)[] = [
  (path) => path,
  (path) => PREFIX + path,
  (path) => `${PREFIX}/..${path}`,
  (path) => `${PREFIX}/%2e%2e${path}`,
  (path) => `${PREFIX}/users/..%2f..${path}`,
  (path) => `${PREFIX}/users/..;${path}`,
  (path) => `${PREFIX}//${path}`,
  (path) => `${PREFIX}/users%2f..%2f..${path}`,
  (path) => `${PREFIX}/messages/x/../../..${path}`,
  (path) => `${PREFIX}/users\\..\\..${path}`,
  (path) => `/socket.io/..${path}`,
  (path) => `${PREFIX.toUpperCase()}${path.toUpperCase()}`,
  (path) => path.replace("/internal", "/%69nternal"),
  (path) => path.replace("/internal", "/./internal"),
];

const headers = fc
  .tuple(fc.constantFrom(...CORPUS.contentTypes), fc.subarray(HEADERS, { maxLength: 2 }))
  .map(([type, extra]): Record<string, string> => Object.assign({}, type ? { "content-type": type } : {}, ...extra));

const brokenBody = fc.oneof(
  fc.constantFrom(...CORPUS.bodies, "x".repeat(99_000), "x".repeat(101_000)).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

function fill(path: string, values: readonly string[]): string {
  let next = 0;
  return path.replace(/:\w+/g, () => values[next++ % values.length] ?? "x");
}

/** Calls that end their session use another account, so that later requests stay signed in. */
const endsSession = ({ path }: Endpoint) => path === "/logout" || path.startsWith("/sessions");

/** Returns mostly invalid requests from two signed-in users and without a session. */
export function hostileRequests(valid: Values, cookie: string, endingCookie: string): fc.Arbitrary<HostileRequest> {
  const ofEndpoint = fc.constantFrom(...ENDPOINTS).chain((endpoint) => {
    const endsOwnSession = endsSession(endpoint);
    const ownId = encodeURIComponent(String(endsOwnSession ? valid.friend_id : valid.user_id));
    const ownCookie = endsOwnSession ? endingCookie : cookie;
    const base = INTERNAL.includes(endpoint)
      ? fc.constantFrom(...TRICKS)
      : fc.constant((path: string) => PREFIX + path);
    const body = fc.oneof(
      { weight: 6, arbitrary: hostileObject(fieldsOf(endpoint.body), valid).map((text) => Buffer.from(text)) },
      { weight: 2, arbitrary: brokenBody },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
    const method = fc.oneof(
      { weight: 6, arbitrary: fc.constant(endpoint.method as string) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    );
    const params = fc.array(fc.oneof(fc.constant(ownId), param), { minLength: 1, maxLength: 3 });
    return fc.record({ method, base, params, query, headers, body, isIn: fc.boolean() }).map((parts) => {
      const path = parts.base(fill(endpoint.path, parts.params)) + parts.query;
      const own: Record<string, string> = parts.isIn && !("cookie" in parts.headers) ? { cookie: ownCookie } : {};
      const hasBody = parts.body !== undefined && parts.method !== "TRACE";
      return {
        method: parts.method,
        path,
        headers: { ...parts.headers, ...own },
        body: hasBody ? parts.body : undefined,
      };
    });
  });
  const socketPath = fc
    .record({ method: fc.constantFrom("GET", "POST", "PUT"), query, body: brokenBody, headers })
    .map(({ method, query: search, body, headers: sent }) => ({
      method,
      path: `/socket.io/${search || "?"}&EIO=4&transport=polling&sid=svc-realtime-1.x`,
      headers: sent,
      body: method === "GET" ? undefined : body,
    }));
  return fc.oneof({ weight: 12, arbitrary: ofEndpoint }, { weight: 1, arbitrary: socketPath });
}

/** Requests that no HTTP library sends: invalid framing, invalid lines, two lengths, random bytes. */
export const rawRequests: fc.Arbitrary<Buffer> = fc
  .oneof(
    fc
      .constantFrom(
        ...CORPUS.requests,
        `GET /messageoh/users HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
        `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\n${"A: b\r\n".repeat(3_000)}\r\n`,
      )
      .map((text) => Buffer.from(text, "latin1")),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.string({ maxLength: 30 }), fc.string({ unit: "binary", maxLength: 200 }))
      .map(([start, rest]) => Buffer.from(`${start} /messageoh/users HTTP/1.1\r\nHost: a\r\n${rest}\r\n\r\n`)),
  )
  .map((bytes) => Buffer.concat([bytes, Buffer.from("\r\n\r\n")]));
