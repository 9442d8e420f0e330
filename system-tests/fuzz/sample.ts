import { randomUUID } from "node:crypto";
import { createClient } from "@messageoh/contracts/client";
import type { CallInput, Endpoint } from "@messageoh/contracts/endpoint";
import { INTERNAL_CALLS, PUBLIC_CALLS } from "@messageoh/contracts/testing/calls";
import { jsonSchemaOf } from "@messageoh/service-kit/bodyLimit";
import { endpointsOf } from "@messageoh/service-kit/testing/contracts";
import type * as v from "valibot";
import type { Account } from "../client/account.ts";

/** An id of no file. */
const NO_MEDIA = "0".repeat(32);

/** Valid values by field. */
export type Values = Record<string, unknown>;

const endpointsOfService = (calls: object): Endpoint[] => endpointsOf(calls).map(([, endpoint]) => endpoint);

/** The calls of browsers. */
export const PUBLIC_ENDPOINTS = Object.values(PUBLIC_CALLS).flatMap(endpointsOfService);
/** The calls between services, by the service that serves them. */
export const INTERNAL_ENDPOINTS = Object.entries(INTERNAL_CALLS).flatMap(([service, calls]) =>
  endpointsOfService(calls).map((endpoint) => ({ service, endpoint })),
);

export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
}

/** Returns a schema of the contracts as JSON Schema. */
export const schemaOf = (schema: v.GenericSchema): JsonSchema => jsonSchemaOf(schema) as JsonSchema;

/** Returns the field names of an object schema. */
export const fieldsOf = (schema: v.GenericSchema): string[] => Object.keys(schemaOf(schema).properties ?? {});

/** Returns values for every field of every call and event that `one` sends to its friend `other`. */
export function valuesOf(one: Account, other: Account, thread_id: string): Values {
  const now = new Date().toISOString();
  return {
    ...{ user_id: one.id, friend_id: other.id, session_id: other.id, user_ids: one.id },
    ...{ thread_id, from_thread_id: thread_id },
    ...{ sending_user_id: one.id, recipient_user_id: other.id, current_user_id: one.id, new_friend_id: other.id },
    client_id: randomUUID(),
    // Addresses that are refused, so that nothing is sent to them.
    ...{ url: "http://127.0.0.1/page", preview: NO_MEDIA, preview_id: NO_MEDIA },
    ...{ endpoint: "https://127.0.0.1/push", p256dh: "B".repeat(87), auth: "A".repeat(22), shows_text: false },
    ...{ token: "token", tokens: "token" },
    ...{ current_user: {}, message_thread: {} },
    ...{ since: now, from: now, timestamp: now },
    ...{ seq: 1, after: 0, before: 9, before_seq: 9, after_seq: 0, limit: 200 },
    ...{ before_id: "a-message", ranges: "a-message", after_change: 0 },
    ...{ op_id: "operation", base: 0, emoji: "👍", reply_to: 1 },
    ...{ hidden: false, pinned: true, starred: true, attached: true },
    ...{ owner_id: one.id, media_id: NO_MEDIA, media_ids: NO_MEDIA, attachments: NO_MEDIA, variant: "view" },
    ...{ is_typing: true, read: false, text: "text", search: "text" },
    ...{ name: one.name, password: "not this one", old_password: "not this one", new_password: "another password" },
    ...{ avatar_id: "fox-id", texts: "keep" },
    // Nobody's id: these calls would end the friendship that other calls need.
    ...{ other_id: "nobody", is_muted: true, has_notice: false, who_may_add: "everyone" },
  };
}

/**
 * Returns a valid payload with the required fields and these optional ones.
 * @throws Error if {@link valuesOf} has no value for a field
 */
export function sampleOf(schema: JsonSchema, values: Values, optional: readonly string[] = [], name = ""): unknown {
  const { properties, required = [], items, prefixItems } = schema;
  if (prefixItems) return prefixItems.map((item) => sampleOf(item, values, optional, name));
  if (items) return [sampleOf(items, values, optional, name)];
  if (properties) {
    const fields = Object.entries(properties).filter(([field]) => required.includes(field) || optional.includes(field));
    return Object.fromEntries(fields.map(([field, child]) => [field, sampleOf(child, values, optional, field)]));
  }
  if (!(name in values)) throw new Error(`valuesOf() in fuzz/sample.ts has no value for ${name}`);
  return values[name];
}

/** Returns valid inputs of a call: one with the required fields only, and one per optional field. */
function inputsOf({ params, query, body }: Endpoint, values: Values): CallInput<Endpoint>[] {
  const parts = { params: schemaOf(params), query: schemaOf(query), body: schemaOf(body) };
  const optional = [parts.query, parts.body].flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).filter((field) => !required.includes(field)),
  );
  return [[], ...optional.map((field) => [field])].map(
    (chosen) =>
      Object.fromEntries(
        Object.entries(parts).map(([part, schema]) => [part, sampleOf(schema, values, chosen)]),
      ) as CallInput<Endpoint>,
  );
}

export type SentRequest = { method: string; path: string; body?: string };

/** Returns the requests that the product's client sends. */
export async function requestsOf(endpoint: Endpoint, values: Values): Promise<SentRequest[]> {
  const requests: SentRequest[] = [];
  const call = createClient({
    baseUrl: "/messageoh",
    async send(path, { method, body }) {
      requests.push({ method, path, ...(body !== undefined && { body }) });
      return { ok: false, status: 0, json: async () => ({}) };
    },
  });
  for (const input of inputsOf(endpoint, values)) await call(endpoint, input).catch(() => {});
  return requests;
}

/** The path of a value in a payload: field names and list indexes. */
export type Place = (string | number)[];

/** Returns the paths of all values in a payload. */
export function placesIn(schema: JsonSchema, above: Place = []): Place[] {
  const { properties = {}, items, prefixItems = items ? [items] : [] } = schema;
  const below: [string | number, JsonSchema][] = [...Object.entries(properties), ...prefixItems.entries()];
  return below.flatMap(([step, child]) => [[...above, step], ...placesIn(child, [...above, step])]);
}

/** Returns a payload that is valid except for the value at this path. */
export function sampleWith(schema: JsonSchema, values: Values, place: Place, value: unknown): unknown {
  const sample = structuredClone(sampleOf(schema, values, place.map(String)));
  const last = place.at(-1) as string | number;
  // The path contains objects and lists.
  const holder = place.slice(0, -1).reduce((inner, step) => Reflect.get(inner, step), sample as object);
  Reflect.set(holder, last, value);
  return sample;
}
