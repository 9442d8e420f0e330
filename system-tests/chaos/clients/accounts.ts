import { randomBytes } from "node:crypto";

const AVATAR = "snake-id";

/** A response of `POST /users` or `POST /login`: a session, or the status of the refusal. */
export type SignIn = { id: string; cookie: string } | { status: number };

/** Registers a user. Rejects if there is no response. */
export async function register(url: string, name: string, password: string): Promise<SignIn> {
  return post(url, "/users", { name, password, avatar_id: AVATAR });
}

/** Signs a user in. Rejects if there is no response. */
export async function logIn(url: string, name: string, password: string): Promise<SignIn> {
  return post(url, "/login", { name, password });
}

export const newName = (label: string): string => `${label} ${randomBytes(5).toString("hex")}`;
export const newPassword = (): string => `chaos password ${randomBytes(5).toString("hex")}`;

async function post(url: string, path: string, body: object): Promise<SignIn> {
  const response = await fetch(`${url}/messageoh${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  const { id } = (await response.json()) as { id?: string };
  const cookie = response.headers.getSetCookie().find((text) => /^(__Host-)?messageoh_session=/.test(text));
  return response.ok && id && cookie ? { id, cookie: cookie.split(";")[0] as string } : { status: response.status };
}
