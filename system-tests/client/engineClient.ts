import { combineWrites } from "@messageoh/service-kit/combineWrites";
import { WebSocket } from "ws";

/** The default of the official client. */
const TIMEOUT_MS = 20_000;
const UNSENT_MAX_BYTES = 200_000;
/** Above all ids in frames of {@link EngineClient.send}. */
const FIRST_ID = 1e9;
type Ack = { error?: unknown };

export interface EngineOptions {
  /** Does not respond to pings, like a machine that lost its network. */
  isSilent?: boolean;
  /** The address to connect from. */
  localAddress?: string;
  /** Appended to the query of the handshake. */
  query?: string;
  /** Receives every frame. */
  onFrame?: (frame: string) => void;
  /** Called when the other side closes the connection. */
  onClose?: () => void;
}

/**
 * A minimal Engine.IO and Socket.IO client over a WebSocket. It can send invalid frames and parses only awaited
 * acks; the official client uses more CPU time than some measured servers.
 */
export class EngineClient {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (ack: Ack | undefined) => void>();
  readonly #options: EngineOptions;
  #expects: (frame: string) => void = () => {};
  #lastId = FIRST_ID;
  #isClosing = false;
  /** Name of the instance that serves the connection. */
  instance = "";

  private constructor(socket: WebSocket, options: EngineOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("error", () => {});
    // Browsers combine frames too.
    socket.on("upgrade", (response) => combineWrites(response.socket));
    socket.on("close", () => {
      for (const resolve of this.#waiting.values()) resolve(undefined);
      if (!this.#isClosing) options.onClose?.();
    });
    socket.on("message", (data: Buffer) => this.#receive(data.toString()));
  }

  /** Opens an Engine.IO connection without connecting a socket. */
  static async open(url: string, cookie = "", options: EngineOptions = {}): Promise<EngineClient> {
    const { localAddress, query = "" } = options;
    const address = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket${query}`;
    const headers = cookie ? { cookie } : {};
    const client = new EngineClient(
      new WebSocket(address, { headers, perMessageDeflate: false, localAddress }),
      options,
    );
    const { sid } = JSON.parse((await client.#next("0")).slice(1)) as { sid: string };
    client.instance = sid.split(".")[0] as string;
    return client;
  }

  /** Opens a connection and connects a socket as the cookie's user. */
  static async signIn(url: string, cookie: string, options: EngineOptions = {}): Promise<EngineClient> {
    const client = await EngineClient.open(url, cookie, options);
    await client.connect();
    return client;
  }

  /** Connects the socket. */
  async connect(): Promise<void> {
    const connected = this.#next("40");
    this.send("40");
    await connected;
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
    this.#isClosing = true;
    this.#socket.terminate();
  }

  #receive(frame: string): void {
    if (frame === "2" && !this.#options.isSilent) this.send("3");
    if (frame.startsWith("43")) {
      const resolve = this.#waiting.get(Number.parseInt(frame.slice(2, 14), 10));
      resolve?.(JSON.parse(frame.slice(frame.indexOf("[")))[0] ?? {});
    }
    this.#expects(frame);
    this.#options.onFrame?.(frame);
  }

  /** Resolves with the first frame that starts with `start`. Rejects if the server rejects the handshake. */
  #next(start: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        this.close();
        reject(new Error(`${why} before a frame ${start} arrived`));
      };
      const timer = setTimeout(() => fail("20 seconds passed"), TIMEOUT_MS);
      const closed = () => fail("The connection was closed");
      this.#socket.once("close", closed);
      this.#expects = (frame) => {
        const isRejected = frame.startsWith("44");
        if (!isRejected && !frame.startsWith(start)) return;
        clearTimeout(timer);
        this.#socket.off("close", closed);
        if (isRejected) fail(`The server sent ${frame}`);
        else resolve(frame);
      };
    });
  }
}
