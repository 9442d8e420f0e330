import { WebSocket } from "ws";

const TIMEOUT_MS = 15_000;
const SEPARATOR = "\u001e";
const UNSENT_MAX_BYTES = 200_000;
type Ack = { error?: unknown };

export interface EngineOptions {
  /** Does not respond to pings, like a machine that lost its network. */
  isSilent?: boolean;
  /** The address to connect from. */
  localAddress?: string;
  /** Receives every frame. */
  onFrame?: (frame: string) => void;
}

/** A minimal Engine.IO and Socket.IO client over a WebSocket, which can send invalid frames. */
export class EngineClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (ack: Ack | undefined) => void>();
  readonly #options: EngineOptions;
  #expects: (frame: string) => void = () => {};
  #lastId = 0;

  private constructor(socket: WebSocket, options: EngineOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const resolve of this.#waiting.values()) resolve(undefined);
    });
    socket.on("message", (data: Buffer) => this.#receive(data.toString()));
  }

  /** Opens an Engine.IO connection without connecting a socket. */
  static async open(url: string, cookie: string, options: EngineOptions = {}): Promise<EngineClient> {
    const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
    const { localAddress } = options;
    const socket = new WebSocket(address, { headers: { cookie }, perMessageDeflate: false, localAddress });
    const client = new EngineClient(socket, options);
    await client.#next("0");
    return client;
  }

  /** Opens a connection and connects a socket as the cookie's user. */
  static async signIn(url: string, cookie: string, options: EngineOptions = {}): Promise<EngineClient> {
    const client = await EngineClient.open(url, cookie, options);
    const connected = client.#next("40");
    client.send("40");
    await connected;
    return client;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Whether the send buffer exceeds 200 kB. */
  get isFull(): boolean {
    return this.#socket.bufferedAmount > UNSENT_MAX_BYTES;
  }

  /** Stops reading from the network. */
  stopReading(): void {
    this.#socket.pause();
  }

  send(frame: string | Buffer): void {
    if (this.isOpen) this.#socket.send(frame);
  }

  /** Sends an event with a JSON payload and returns its ack, or `undefined` on a timeout or a closed connection. */
  request(name: string, payload: string): Promise<Ack | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting.get(id)?.(undefined), TIMEOUT_MS);
      this.#waiting.set(id, (ack) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(ack);
      });
      if (this.isOpen) this.send(`42${id}[${JSON.stringify(name)},${payload}]`);
      else this.#waiting.get(id)?.(undefined);
    });
  }

  /** Sends a frame and returns whether the server keeps the connection and still acks events. */
  async survives(frame: string | Buffer): Promise<boolean> {
    this.send(frame);
    const ack = await this.request("join_add_friend_room", "null");
    return ack !== undefined && this.isOpen;
  }

  close(): void {
    this.#socket.terminate();
  }

  #receive(frames: string): void {
    for (const frame of frames.split(SEPARATOR)) {
      if (frame === "2" && !this.#options.isSilent) this.send("3");
      const ack = /^43(\d+)\[(.*)\]$/s.exec(frame);
      if (ack) this.#waiting.get(Number(ack[1]))?.(JSON.parse(ack[2] ?? "null") ?? {});
      this.#expects(frame);
      this.#options.onFrame?.(frame);
    }
  }

  /** Resolves with the first frame that starts with `start`. */
  #next(start: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No frame ${start} arrived`)), TIMEOUT_MS);
      const closed = () => reject(new Error(`Closed before a frame ${start} arrived`));
      this.#socket.once("close", closed);
      this.#expects = (frame) => {
        if (!frame.startsWith(start)) return;
        clearTimeout(timer);
        this.#socket.off("close", closed);
        resolve(frame);
      };
    });
  }
}
