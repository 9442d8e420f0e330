import { WebSocket } from "ws";

const PATIENCE_MS = 15_000;
const SEPARATOR = "\u001e";
const UNSENT_MAX_BYTES = 200_000;
type Answer = { error?: unknown };

export interface EngineOptions {
  /** Answers no ping, as a machine that has gone from the network. */
  isSilent?: boolean;
  /** The address to connect from. */
  localAddress?: string;
  /** Gets every frame that arrives. */
  hears?: (frame: string) => void;
}

/** Engine.IO and Socket.IO by hand, over a WebSocket: to send what no client library would. */
export class EngineClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  readonly #options: EngineOptions;
  #expects: (frame: string) => void = () => {};
  #lastId = 0;

  private constructor(socket: WebSocket, options: EngineOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const answered of this.#waiting.values()) answered(undefined);
    });
    socket.on("message", (data: Buffer) => this.#hear(data.toString()));
  }

  /** A connection that has not said who it is. */
  static async open(url: string, cookie: string, options: EngineOptions = {}): Promise<EngineClient> {
    const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
    const { localAddress } = options;
    const socket = new WebSocket(address, { headers: { cookie }, perMessageDeflate: false, localAddress });
    const client = new EngineClient(socket, options);
    await client.#next("0");
    return client;
  }

  /** A connection whose socket is connected as the cookie's user. */
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

  /** More is waiting to be sent than the network takes. */
  get isFull(): boolean {
    return this.#socket.bufferedAmount > UNSENT_MAX_BYTES;
  }

  /** From now on takes nothing that is sent to it. */
  stopReading(): void {
    this.#socket.pause();
  }

  send(frame: string | Buffer): void {
    if (this.isOpen) this.#socket.send(frame);
  }

  /** Sends an event with this JSON as its payload; undefined when no answer came. */
  ask(name: string, payload: string): Promise<Answer | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting.get(id)?.(undefined), PATIENCE_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      });
      if (this.isOpen) this.send(`42${id}[${JSON.stringify(name)},${payload}]`);
      else this.#waiting.get(id)?.(undefined);
    });
  }

  /** Sends a frame and finds out whether the server keeps the connection: it still answers, or it has closed it. */
  async survives(frame: string | Buffer): Promise<boolean> {
    this.send(frame);
    const answer = await this.ask("join_add_friend_room", "null");
    return answer !== undefined && this.isOpen;
  }

  close(): void {
    this.#socket.terminate();
  }

  #hear(frames: string): void {
    for (const frame of frames.split(SEPARATOR)) {
      if (frame === "2" && !this.#options.isSilent) this.send("3");
      const answer = /^43(\d+)\[(.*)\]$/s.exec(frame);
      if (answer) this.#waiting.get(Number(answer[1]))?.(JSON.parse(answer[2] ?? "null") ?? {});
      this.#expects(frame);
      this.#options.hears?.(frame);
    }
  }

  /** Resolves with the first frame that begins so. */
  #next(start: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No frame ${start} came`)), PATIENCE_MS);
      const closed = () => reject(new Error(`Closed before a frame ${start} came`));
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
