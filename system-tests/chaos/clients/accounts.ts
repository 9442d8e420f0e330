import { randomBytes } from "node:crypto";
import { pause } from "../../client/account.ts";
import type { Ledger, Session } from "../checker/ledger.ts";

const AVATAR = "snake-id";

/** A response of `POST /users` or `POST /login`: a session, or the status of the refusal. */
export type SignIn = { id: string; cookie: string } | { status: number };

/** The gateway of the stack, and the address that a user's requests come from. */
export interface Origin {
  url: string;
  address: string;
}

/** Registers a user. Rejects if there is no response. */
export async function register(origin: Origin, name: string, password: string): Promise<SignIn> {
  return post(origin, "/users", { name, password, avatar_id: AVATAR });
}

/** Signs a user in. Rejects if there is no response. */
export async function logIn(origin: Origin, name: string, password: string): Promise<SignIn> {
  return post(origin, "/login", { name, password });
}

let addresses = 0;

/** Returns another address of the range for tests of network devices. The gateway trusts the header that carries it. */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

/** Headers of the requests of a session, as the proxy in front of the gateway sends them. */
export const headersOf = ({ cookie, address }: { cookie: string; address: string }) => ({
  cookie,
  "x-forwarded-for": address,
});

export const newName = (label: string): string => `${label} ${randomBytes(5).toString("hex")}`;
export const newPassword = (): string => `chaos password ${randomBytes(5).toString("hex")}`;

async function post({ url, address }: Origin, path: string, body: object): Promise<SignIn> {
  const response = await fetch(`${url}/messageoh${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  const { id } = (await response.json()) as { id?: string };
  const cookie = response.headers.getSetCookie().find((text) => /^(__Host-)?messageoh_session=/.test(text));
  return response.ok && id && cookie ? { id, cookie: cookie.split(";")[0] as string } : { status: response.status };
}

const RETRY_MS = 500;

/** Repeats a sign-in until the server responds, checks that it is accepted, and records the session. */
export async function signIn(
  ledger: Ledger,
  { name, address }: { name: string; address: string },
  attempt: () => Promise<SignIn>,
): Promise<Session> {
  for (;;) {
    const result = await attempt().catch(() => ({ status: 0 }));
    const isRefused = "status" in result && result.status >= 400 && result.status < 500 && result.status !== 429;
    if (isRefused || "id" in result) {
      ledger.checks.verify("a valid sign-in is accepted", !isRefused, () => `${name}: ${JSON.stringify(result)}`);
    }
    if ("id" in result) return ledger.begin(result.id, result.cookie, address);
    await pause(RETRY_MS);
  }
}

/** Registers a user with a first session; retries while the server does not respond. */
export function signUp(ledger: Ledger, origin: Origin, name: string, password: string): Promise<Session> {
  return signIn(ledger, { name, address: origin.address }, async () => {
    const registered = await register(origin, name, password);
    // If the response was lost, the name is taken at the second attempt and the password is valid.
    return "status" in registered && registered.status === 409 ? logIn(origin, name, password) : registered;
  });
}
