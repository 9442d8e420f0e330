import { type ClientEventName, clientEvents } from "@messageoh/contracts/realtime";
import { COSTLY_NAME, nested } from "../fuzz/hostile.ts";
import { PUBLIC_ENDPOINTS, requestsOf, sampleOf, schemaOf, type Values } from "../fuzz/sample.ts";
import { COUNTER, type Load } from "./plan.ts";

/** Accounts with the most data for some calls; see `crowd.ts`. */
export type Attackers = "long texts" | "most friends" | "monologues" | "searchers" | "uploaders";

/** A call or event to attack; a row of the report. */
export interface Target {
  name: string;
  /** Whether to also attack without a session. */
  allowsAnonymous: boolean;
  /** The attacking accounts; a new one by default. */
  attackers?: Attackers;
  /** Whether it consists of packets that the server does not answer. */
  getsNoResponse?: boolean;
  /** Largest median of sign-ins, as a multiple of the quiet one. */
  logInRatioMax?: number;
  /** Largest median of deliveries, as a multiple of the quiet one. */
  chatMedianRatioMax?: number;
  plan: (values: Values) => Promise<Load>;
}

const PREFIX = "/messageoh";
const MESSAGE_CHARACTERS = 4_000;
/** An id that looks valid and belongs to nobody, another one each time. */
const UNKNOWN_ID = `${"f".repeat(16)}${COUNTER}`;
const UNKNOWN = Object.fromEntries(
  ["other_id", "friend_id", "new_friend_id", "recipient_user_id", "thread_id", "session_id"].map((field) => [
    field,
    UNKNOWN_ID,
  ]),
);
/** A new name for each registration and login. */
const UNIQUE = { name: `flood ${COUNTER}` };
const COSTLY = JSON.stringify({ name: COSTLY_NAME, password: "a password", avatar_id: "fox-id" });

/** Every call and event of the contracts, payloads that are costly to check, and paths that nginx serves itself. */
export const TARGETS: Target[] = [
  ...PUBLIC_ENDPOINTS.map((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    return {
      name,
      allowsAnonymous: true,
      attackers: richestFor(name),
      plan: async (values: Values) => ({
        requests: [
          ...(await requestsOf(endpoint, { ...values, ...UNIQUE })),
          ...(await requestsOf(endpoint, { ...values, ...UNIQUE, ...UNKNOWN })),
        ],
      }),
    };
  }),
  ...(Object.keys(clientEvents) as ClientEventName[]).flatMap((name) => [
    eventTarget(name, `event ${name}`, {}),
    { ...eventTarget(name, `event ${name}, unknown ids`, UNKNOWN), attackers: "most friends" as const },
  ]),
  {
    ...requestTarget("GET", `${PREFIX}/users?search=q${COUNTER}`),
    name: "GET /users?search, 100,000 users",
    allowsAnonymous: false,
    attackers: "searchers",
    logInRatioMax: 1.5,
  },
  {
    name: "GET /threads, monologues",
    allowsAnonymous: false,
    attackers: "monologues",
    plan: async ({ user_id }) => ({ requests: [{ method: "GET", path: `${PREFIX}/threads/${user_id}` }] }),
  },
  { ...requestTarget("POST", `${PREFIX}/users`, COSTLY), name: "POST /users, combining marks" },
  {
    name: "PUT /users/:user_id/name, combining marks",
    allowsAnonymous: false,
    plan: async ({ user_id }) => ({
      requests: [{ method: "PUT", path: `${PREFIX}/users/${user_id}/name`, body: COSTLY }],
    }),
  },
  {
    name: "20 users upload 10 MB each",
    allowsAnonymous: false,
    attackers: "uploaders",
    chatMedianRatioMax: 1.5,
    plan: async ({ thread_id }) => ({ uploadsTo: String(thread_id) }),
  },
  frameTarget("events of nested lists", `42["x",${nested(40_000)}]`),
  frameTarget("packets before CONNECT", `40/${"n".repeat(90_000)},`, true),
  requestTarget("GET", "/socket.io/?EIO=4&transport=polling"),
  requestTarget("GET", "/"),
  requestTarget("GET", `${PREFIX}/no-such-call`),
  requestTarget("POST", "/csp-report", "{}"),
];

function richestFor(name: string): Attackers | undefined {
  if (name === "GET /messages/:user_id") return "long texts";
  return /GET .(threads|friends)/.test(name) ? "most friends" : undefined;
}

function eventTarget(event: ClientEventName, name: string, changed: Values): Target {
  return {
    name,
    allowsAnonymous: false,
    async plan(values) {
      const text = "x".repeat(MESSAGE_CHARACTERS);
      const payload = sampleOf(schemaOf(clientEvents[event]), { ...values, text, ...changed });
      return { frames: [`42${COUNTER}${JSON.stringify([event, payload])}`] };
    },
  };
}

function frameTarget(name: string, frame: string, isBeforeConnect = false): Target {
  const plan = async () => ({ frames: [frame], isBeforeConnect });
  return { name, allowsAnonymous: false, getsNoResponse: true, plan };
}

function requestTarget(method: string, path: string, body?: string): Target {
  const request = { method, path, ...(body && { body }) };
  return {
    name: `${method} ${path.replace(/\?.*/, "")}`,
    allowsAnonymous: true,
    plan: async () => ({ requests: [request] }),
  };
}
