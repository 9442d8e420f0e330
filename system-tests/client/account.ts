import { randomBytes } from "node:crypto";
import { type Call, createClient } from "@messageoh/contracts/client";
import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import { addFriend } from "@messageoh/contracts/users";
import { io, type Socket } from "socket.io-client";

export type ChatSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

const PASSWORD = "chaos password";

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
    const name = `${label} ${randomBytes(5).toString("hex")}`;
    const response = await fetch(`${url}/messageoh/users`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, password: PASSWORD, avatar_id: "snake-id" }),
    });
    if (!response.ok) throw new Error(`Registration returned status ${response.status}: ${await response.text()}`);
    const { id } = (await response.json()) as { id: string };
    return new Account(url, id, name, response.headers.get("set-cookie")?.split(";")[0] ?? "");
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
