import { Agent } from "node:http";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import { safeParse } from "@messageoh/contracts/parse";
import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import * as users from "@messageoh/contracts/users";
import { SECRET_HEADER } from "@messageoh/service-kit/internal";
import type { Stack } from "@messageoh/stack/stack";
import { StackFile } from "@messageoh/stack/stackFile";
import pLimit from "p-limit";
import { Account } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import type { Findings } from "./findings.ts";
import { COSTLY_NAME } from "./hostile.ts";
import {
  INTERNAL_ENDPOINTS,
  type Place,
  PUBLIC_ENDPOINTS,
  placesIn,
  sampleOf,
  sampleWith,
  schemaOf,
  type Values,
  valuesOf,
} from "./sample.ts";
import { send } from "./sendHttp.ts";
import { encode, escapeRest, TEXTS } from "./texts.ts";

const AT_ONCE = 16;
const OTHERS: unknown[] = JSON.parse(
  '[null, true, 0, -1, 1.5, [], ["a"], [["a"]], {}, {"$gt": ""}, {"toString": 1}, {"length": 1e9}, {"then": "a"}]',
);
/** Malformed ids, values of other types, and values that are costly to check. */
const MALFORMED: unknown[] = [...TEXTS, ...OTHERS, COSTLY_NAME, Array(45_000).fill(0)];
/** Longest time of a response, in milliseconds, if the check of its payload is not costly. */
const RESPONSE_MAX_MS = 1_000;
const ATTEMPTS = 3;
const COOKIES = [users.SESSION_COOKIE, users.SECURE_SESSION_COOKIE, "messageoh_device"];

interface Target {
  host: string;
  port: number;
  headers: Record<string, string>;
}

/**
 * Sends each malformed id in every field of every call and event; the other fields are valid. The fields come from the
 * contracts. Internal calls carry the shared secret.
 */
export async function sendIds(stack: Stack, findings: Findings): Promise<void> {
  const url = stack.url.replace("localhost", "127.0.0.1");
  const [one, other] = await Promise.all([Account.register(url, "Ids"), Account.register(url, "Ids")]);
  const values = valuesOf(one, other, await one.befriend(other));
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const gateway = { host: "127.0.0.1", port: Number(new URL(url).port), headers: { cookie: one.cookie } };
  const secret = new StackFile(stack.dataDir).secret;
  // These calls end the session of the request.
  const endSession: Endpoint[] = [users.register, users.logIn];
  const targetOf = (service: string): Target => {
    const { port } = stack.processes().find(({ name }) => name === service) as { port: number };
    return { ...gateway, port, headers: { [SECRET_HEADER]: secret } };
  };
  const requests = [
    ...PUBLIC_ENDPOINTS.flatMap((endpoint) => {
      const to = endSession.includes(endpoint) ? { ...gateway, headers: {} } : gateway;
      return requestsTo(endpoint, values, "/messageoh").map((request) => ({ ...request, to }));
    }),
    ...INTERNAL_ENDPOINTS.flatMap(({ service, endpoint }) => {
      const to = targetOf(service);
      return requestsTo(endpoint, values, "").map((request) => ({ ...request, to }));
    }),
    ...cookieRequests(one).map((request) => ({ ...request, to: gateway })),
  ];
  await pLimit(AT_ONCE).map(requests, async ({ to, isValid, ...request }) => {
    const headers = { ...to.headers, ...request.headers };
    let status = 0;
    const ms = await fastest(async () => {
      ({ status } = await send(to.host, to.port, agent, { ...request, headers }, findings));
    });
    findings.count("ids in calls");
    // A valid call may wait for others of the same account.
    if (!isValid && ms > RESPONSE_MAX_MS)
      findings.fault("a malformed call took more than a second", `${request.method} ${request.path}`);
    if (!isValid && status >= 200 && status < 400) {
      findings.fault("a malformed id was accepted", `${request.method} ${request.path} ${request.body ?? ""}`);
    }
  });
  agent.destroy();
  await sendEventIds(url, one, values, findings);
}

/** Returns the shortest time in milliseconds; repeats slow work, because a busy machine may delay it. */
async function fastest(work: () => Promise<void>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && shortest > RESPONSE_MAX_MS; attempt += 1) {
    const startedAt = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

interface IdRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Whether the contract accepts the request, so that status 200 is allowed. */
  isValid: boolean;
}

function requestsTo(endpoint: Endpoint, values: Values, prefix: string): IdRequest[] {
  const { method } = endpoint;
  const [params, query, body] = (["params", "query", "body"] as const).map((part) => schemaOf(endpoint[part]));
  const sampleParams = sampleOf(params as object, values) as Record<string, string>;
  const sampleBody = sampleOf(body as object, values) as object;
  const request = (path: string, payload: object, isValid: boolean): IdRequest => {
    const hasBody = Object.keys(payload).length > 0;
    const headers: Record<string, string> = hasBody ? { "content-type": "application/json" } : {};
    return {
      method,
      path: prefix + path,
      headers,
      body: hasBody ? Buffer.from(JSON.stringify(payload)) : undefined,
      isValid,
    };
  };
  const ownPath = fill(endpoint.path, sampleParams);
  const each = (schema: object, of: unknown[], make: (place: Place, value: unknown) => IdRequest[]) =>
    placesIn(schema).flatMap((place) => of.flatMap((value) => make(place, value)));
  return [
    ...each(params as object, TEXTS, ([name = ""], value) => {
      // `?` and `#` end the path.
      const id = String(value).replace(/[?#].*/s, "");
      const leadsElsewhere = /[./\\%]/.test(id);
      const isValid = leadsElsewhere || safeParse(endpoint.params, { ...sampleParams, [name]: id }).success;
      return [encode(String(value)), escapeRest(String(value))].map((written) =>
        request(fill(endpoint.path, { ...sampleParams, [name]: written }), sampleBody, isValid),
      );
    }),
    ...each(query as object, TEXTS, ([name = ""], value) => {
      // Invalid UTF-8 arrives as replacement characters.
      const isValid = safeParse(endpoint.query, { [name]: String(value).toWellFormed() }).success;
      const written = encode(String(value));
      return [
        request(`${ownPath}?${name}=${written}`, sampleBody, isValid),
        request(`${ownPath}?${name}=${written}&${name}=a`, sampleBody, false),
        request(`${ownPath}?${name}[${written}]=a`, sampleBody, true),
      ];
    }),
    ...each(body as object, MALFORMED, (place, value) => {
      const payload = sampleWith(body as object, values, place, value) as object;
      return [request(ownPath, payload, safeParse(endpoint.body, payload).success)];
    }),
  ];
}

/** Requests with malformed cookies and Engine.IO session ids. */
function cookieRequests({ id }: Account): IdRequest[] {
  const empty = { body: undefined, headers: {} };
  const handshake = "/socket.io/?EIO=4&transport=polling";
  return TEXTS.flatMap((text) => [
    ...[encode(text), escapeRest(text).slice(0, 6_000)].flatMap((value) =>
      COOKIES.flatMap((name) =>
        [`/messageoh/users/${id}`, `/messageoh/messages/${id}`, handshake].map((path) => {
          const headers = { cookie: `${name}=${value.slice(0, 6_000)}` };
          return { ...empty, method: "GET", path, headers, isValid: false };
        }),
      ),
    ),
    { ...empty, method: "GET", path: `${handshake}&sid=${encode(text)}`, isValid: text === "" },
  ]);
}

async function sendEventIds(url: string, account: Account, values: Values, findings: Findings): Promise<void> {
  const client = await EngineClient.signIn(url, account.cookie);
  const events = (Object.keys(clientEvents) as ClientEventName[]).flatMap((name) =>
    placesIn(schemaOf(clientEvents[name])).flatMap((place) => MALFORMED.map((value) => ({ name, place, value }))),
  );
  await pLimit(AT_ONCE).map(events, async ({ name, place, value }) => {
    const payload = sampleWith(schemaOf(clientEvents[name]), values, place, value);
    const ack = await client.request(name, JSON.stringify(payload));
    findings.count("ids in events");
    const event = `${name} ${JSON.stringify(payload)}`;
    if (ack === undefined) findings.fault("no ack of an event", event);
    else if (typeof ack.error !== "string" && !safeParse(clientEvents[name], payload).success) {
      findings.fault("a malformed id was accepted", event);
    }
  });
  if (!client.isOpen) findings.fault("a socket was closed for malformed ids");
  client.close();
}

/** Inserts encoded values into a path. */
const fill = (path: string, written: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => written[name] ?? "");
