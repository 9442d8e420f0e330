import { createClient } from "@messageoh/contracts/client";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import { ENDPOINTS, inputsOf, isInternal, sampleOf, schemaOf, type Values } from "../fuzz/sample.ts";
import { type AttackPlan, COUNTER } from "./plan.ts";

/** A call or event to attack; a row of the report. */
export interface Target {
  name: string;
  /** Whether to also attack without a session. */
  allowsAnonymous: boolean;
  plan: (values: Values) => Promise<Pick<AttackPlan, "requests" | "events">>;
}

const PREFIX = "/messageoh";
const MESSAGE_CHARACTERS = 4_000;

/** Every call and event of the contracts, and paths that nginx serves itself. */
export const TARGETS: Target[] = [
  ...ENDPOINTS.filter((endpoint) => !isInternal(endpoint)).map((endpoint) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    allowsAnonymous: true,
    plan: async (values: Values) => ({ requests: await requestsOf(endpoint, { ...values, ...UNIQUE }) }),
  })),
  ...(Object.keys(clientEvents) as ClientEventName[]).map((name) => ({
    name: `event ${name}`,
    allowsAnonymous: false,
    plan: async (values: Values) => {
      const payload = sampleOf(schemaOf(clientEvents[name]), { ...values, text: "x".repeat(MESSAGE_CHARACTERS) });
      return { events: [JSON.stringify([name, payload])] };
    },
  })),
  gatewayTarget("GET", "/socket.io/?EIO=4&transport=polling"),
  gatewayTarget("GET", "/"),
  gatewayTarget("GET", `${PREFIX}/no-such-call`),
  gatewayTarget("POST", "/csp-report", "{}"),
];

/** A new name for each registration and login. */
const UNIQUE = { name: `flood ${COUNTER}` };

function gatewayTarget(method: string, path: string, body?: string): Target {
  const request = { method, path, ...(body && { body }) };
  return {
    name: `${method} ${path.replace(/\?.*/, "")}`,
    allowsAnonymous: true,
    plan: async () => ({ requests: [request] }),
  };
}

/** Returns the requests that the product's client sends. */
async function requestsOf(endpoint: Endpoint, values: Values) {
  const requests: NonNullable<AttackPlan["requests"]> = [];
  const call = createClient({
    baseUrl: PREFIX,
    async send(path, { method, body }) {
      requests.push({ method, path, ...(body !== undefined && { body }) });
      return { ok: false, status: 0, json: async () => ({}) };
    },
  });
  for (const input of inputsOf(endpoint, values)) await call(endpoint, input).catch(() => {});
  return requests;
}
