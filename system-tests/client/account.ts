import { randomBytes } from "node:crypto";
import { type Call, createClient } from "@messageoh/contracts/client";
import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import { addFriend } from "@messageoh/contracts/users";
import { io, type Socket } from "socket.io-client";

export type ChatSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

const PASSWORD = "chaos password";

/** A response of `POST /users` or `POST /login`: a session, or the status of the refusal. */
export type SignIn = { id: string; cookie: string } | { status: number };

/** The gateway of a stack, and the address that a user's requests come from, if a proxy in front of it names one. */
export interface Origin {
  url: string;
  address?: string;
}

/** Registers a user. Rejects if there is no response. */
export const register = (origin: Origin, name: string, password: string): Promise<SignIn> =>
  post(origin, "/users", { name, password, avatar_id: "snake-id" });

/** Signs a user in. Rejects if there is no response. */
export const logIn = (origin: Origin, name: string, password: string): Promise<SignIn> =>
  post(origin, "/login", { name, password });

async function post({ url, address }: Origin, path: string, body: object): Promise<SignIn> {
  const response = await fetch(`${url}/messageoh${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(address && { "x-forwarded-for": address }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  const { id } = (await response.json()) as { id?: string };
  const cookie = response.headers.getSetCookie().find((text) => /^(__Host-)?messageoh_session=/.test(text));
  return response.ok && id && cookie ? { id, cookie: cookie.split(";")[0] as string } : { status: response.status };
}

/** Returns the headers of the requests of a session, as the proxy in front of the gateway sends them. */
export const headersOf = ({ cookie, address }: { cookie: string; address: string }) => ({
  cookie,
  "x-forwarded-for": address,
});

/** Returns a name that nobody else has. */
export const newName = (label: string): string => `${label} ${randomBytes(5).toString("hex")}`;

/** Connects a socket with the reconnection settings of the specification. */
export const connectSpec = (url: string, extraHeaders: Record<string, string>): ChatSocket =>
  io(url, { extraHeaders, forceNew: true, reconnectionDelay: 1_000, reconnectionDelayMax: 5_000, timeout: 20_000 });

/** A registered user with a session. */
export class Account {
  readonly url: string;
  readonly id: string;
  readonly name: string;
  readonly password = PASSWORD;
  readonly cookie: string;
  readonly headers: { cookie: string };
  readonly call: Call;

  private constructor(url: string, id: string, name: string, cookie: string) {
    this.url = url;
    this.id = id;
    this.name = name;
    this.cookie = cookie;
    this.headers = { cookie };
    this.call = createClient({ baseUrl: `${url}/messageoh`, headers: () => this.headers, timeoutMs: 10_000 });
  }

  static async register(url: string, label: string): Promise<Account> {
    const name = newName(label);
    const registered = await register({ url }, name, PASSWORD);
    if ("status" in registered) throw new Error(`Registration returned status ${registered.status}`);
    return new Account(url, registered.id, name, registered.cookie);
  }

  /** Registers two users who are friends, and returns them with the id of their thread. */
  static async registerFriends(url: string): Promise<{ ann: Account; bob: Account; thread_id: string }> {
    const [ann, bob] = await Promise.all([Account.register(url, "Ann"), Account.register(url, "Bob")]);
    return { ann, bob, thread_id: await ann.befriend(bob) };
  }

  async befriend(friend: Account): Promise<string> {
    const body = { user_id: this.id, friend_id: friend.id };
    return (await this.call(addFriend, { body })).thread_id;
  }

  connect(): ChatSocket {
    return connectSpec(this.url, { cookie: this.cookie });
  }
}

/** Retries a call every second, up to 30 times, so that a busy machine does not fail the run. */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === 30) throw error;
      await pause(1_000);
    }
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
