import { io, type Socket } from "socket.io-client";

/** Messages in flight: few, because a service that tests share refuses more than it can store in time. */
const AT_ONCE = 50;

/** A client that implements only the specification: fetch with a cookie jar, and a socket. */
export class ProtocolClient {
  readonly baseUrl: string;
  readonly name: string;
  id = "";
  cookie = "";
  socket: Socket | undefined;
  readonly seen: { event: string; payload: unknown }[] = [];

  constructor(baseUrl: string, name: string) {
    this.baseUrl = baseUrl;
    this.name = name;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.baseUrl}/messageoh${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.cookie ? { cookie: this.cookie } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const set = response.headers.get("set-cookie");
    if (set) this.cookie = set.split(";")[0] ?? "";
    return { status: response.status, body: await response.json() };
  }

  /** Makes a call that must succeed and returns its body. */
  async #done(method: string, path: string, sent: unknown): Promise<unknown> {
    const { status, body } = await this.call(method, path, sent);
    if (status >= 400) throw new Error(`${method} ${path} of ${this.name}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async register(avatar_id = "koala-id"): Promise<this> {
    const body = await this.#done("POST", "/users", { name: this.name, password: "a long password", avatar_id });
    this.id = (body as { id: string }).id;
    return this;
  }

  async befriend(friend: ProtocolClient): Promise<string> {
    const body = await this.#done("POST", "/add_friend", { user_id: this.id, friend_id: friend.id });
    await friend.#done("PUT", `/friends/${friend.id}/${this.id}`, { has_notice: false });
    return (body as { thread_id: string }).thread_id;
  }

  /** Sends texts to a friend in order and waits until they are stored. */
  async say(friend: ProtocolClient, ...texts: string[]): Promise<void> {
    const socket = this.socket?.connected ? this.socket : await this.connect();
    const thread_id = await this.befriend(friend);
    const pair = { thread_id, sending_user_id: this.id, recipient_user_id: friend.id, read: false };
    for (let at = 0; at < texts.length; at += AT_ONCE) {
      const sent = texts.slice(at, at + AT_ONCE).map((text) => {
        const message = { ...pair, text, timestamp: new Date().toISOString() };
        return socket.timeout(15_000).emitWithAck("send_message", message);
      });
      for (const answer of await Promise.all(sent)) if (answer.error) throw new Error(answer.error);
    }
  }

  /** Connects with the default transports: long-polling, then WebSocket. */
  async connect(): Promise<Socket> {
    const socket = io(this.baseUrl, { extraHeaders: { cookie: this.cookie }, forceNew: true });
    this.socket = socket;
    socket.onAny((event, payload) => this.seen.push({ event, payload }));
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
    socket.emit("join_add_friend_room", { current_user_id: this.id });
    return socket;
  }

  /** Returns the realtime instance of the socket, which is part of the session id. */
  get instance(): string {
    return this.socket?.io.engine.id?.split(".")[0] ?? "";
  }

  /** Reconnects until the instance differs from `other`. */
  async connectElsewhere(other: ProtocolClient): Promise<Socket> {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const socket = await this.connect();
      if (this.instance !== other.instance) return socket;
      socket.disconnect();
    }
    throw new Error("Every connection landed on the same instance");
  }

  payloads<T>(event: string): T[] {
    return this.seen.filter((entry) => entry.event === event).map((entry) => entry.payload as T);
  }

  close(): void {
    this.socket?.disconnect();
  }
}
