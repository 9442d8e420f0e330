import { connect, createServer, type Server, type Socket } from "node:net";
import { until } from "@messageoh/stack/ports";

/** Faults that a link applies to its bytes. */
export interface Conditions {
  /** Delay of every chunk, in milliseconds, plus a random part of up to `jitterMs`. */
  delayMs: number;
  jitterMs: number;
  /** Share of the chunks that stop their direction for `stallMs`. */
  stallShare: number;
  stallMs: number;
  bytesPerSecond: number;
  /**
   * Directions in which nothing passes, neither bytes nor the end of a connection. A connection can still be opened.
   */
  blocksRequests: boolean;
  blocksResponses: boolean;
}

const CLEAR: Conditions = {
  delayMs: 0,
  jitterMs: 0,
  stallShare: 0,
  stallMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  blocksRequests: false,
  blocksResponses: false,
};

const STALLED: Conditions = { ...CLEAR, blocksRequests: true, blocksResponses: true };

/** Bytes of one direction that wait in the link; beyond them, the sender meets backpressure. */
const WAITING_MAX_BYTES = 256 * 1024;

/** A TCP proxy between two parts of a stack, with faults. Bytes are delayed, never dropped or reordered, as in TCP. */
export class Link {
  readonly from: string;
  readonly to: string;
  /** The loopback port on which the link listens. */
  readonly port: number;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #target: number;
  #conditions = CLEAR;
  #isRefusing = false;
  #isClosed = false;

  /**
   * @param port a free port outside the ephemeral range, because the link listens on it again after its target restarts
   * @param target the loopback port to which the link forwards
   */
  constructor(from: string, to: string, port: number, target: number) {
    this.from = from;
    this.to = to;
    this.port = port;
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      const connection = new Connection(client, this.#target, () => this.#conditions);
      this.#connections.add(connection);
      connection.onceClosed((wasRefused) => {
        this.#connections.delete(connection);
        if (wasRefused) void this.#refuse();
      });
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.port, "127.0.0.1", () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
  }

  /** Refuses connections until the target listens, because callers treat a refusal and a reset differently. */
  async #refuse(): Promise<void> {
    if (this.#isRefusing || this.#isClosed) return;
    this.#isRefusing = true;
    this.#server.close();
    await until(async () => this.#isClosed || (await accepts(this.#target)), Number.POSITIVE_INFINITY);
    if (!this.#isClosed) await this.listen();
    this.#isRefusing = false;
  }

  /** Changes the conditions of this link; those that are not named become normal. */
  set(conditions: Partial<Conditions>): void {
    this.#conditions = { ...CLEAR, ...conditions };
    for (const connection of this.#connections) connection.update();
  }

  /** Resets all connections, or only the random share of them. */
  reset(share = 1): void {
    for (const connection of this.#connections) if (Math.random() < share) connection.reset();
  }

  /** Stops the connection that has carried most bytes, and no other one, for some milliseconds. */
  stallOne(ms: number): void {
    const [busiest] = [...this.#connections].sort((a, b) => b.bytes - a.bytes);
    busiest?.stall(ms);
  }

  /** Forwards new connections to another port. Existing connections stay where they are. */
  retarget(port: number): void {
    this.#target = port;
  }

  close(): void {
    this.#isClosed = true;
    this.#server.close();
    this.reset();
  }
}

/** Returns whether a process accepts connections on a loopback port. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ host: "127.0.0.1", port });
    probe.once("connect", () => resolve(true));
    probe.once("error", () => resolve(false));
    probe.once("connect", () => probe.destroy());
  });
}

/**
 * Resets a connection. One whose end is being sent is closed: libuv does not reset it, and it would stay open for ever.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

class Connection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #directions: Direction[];
  #isStalled = false;

  constructor(client: Socket, target: number, conditions: () => Conditions) {
    this.#client = client;
    this.#server = connect({ host: "127.0.0.1", port: target, allowHalfOpen: true, noDelay: true });
    const own = () => (this.#isStalled ? STALLED : conditions());
    this.#directions = [
      new Direction(this.#client, this.#server, own, "blocksRequests"),
      new Direction(this.#server, this.#client, own, "blocksResponses"),
    ];
  }

  /** Bytes that the client has sent. */
  get bytes(): number {
    return this.#client.bytesRead;
  }

  stall(ms: number): void {
    this.#isStalled = true;
    setTimeout(() => {
      this.#isStalled = false;
      this.update();
    }, ms);
  }

  /** Calls the listener with whether the target refused the connection. */
  onceClosed(listener: (wasRefused: boolean) => void): void {
    let wasRefused = false;
    this.#server.once("error", (error: NodeJS.ErrnoException) => {
      wasRefused = error.code === "ECONNREFUSED";
    });
    let open = 2;
    for (const socket of [this.#client, this.#server]) {
      socket.once("close", () => {
        open -= 1;
        if (open === 0) listener(wasRefused);
      });
    }
  }

  update(): void {
    for (const direction of this.#directions) direction.update();
  }

  reset(): void {
    reset(this.#client);
    reset(this.#server);
  }
}

type Step = { at: number; bytes: number; take: () => void };

/** Moves bytes, and the end of the connection, from one socket to the other. */
class Direction {
  readonly #from: Socket;
  readonly #conditions: () => Conditions;
  readonly #blocked: "blocksRequests" | "blocksResponses";
  #waiting: Step[] = [];
  #waitingBytes = 0;
  #lastAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, conditions: () => Conditions, blocked: "blocksRequests" | "blocksResponses") {
    this.#from = from;
    this.#conditions = conditions;
    this.#blocked = blocked;
    from.on("data", (chunk: Buffer) =>
      this.#add(chunk.length, () => {
        if (!to.destroyed && !to.write(chunk)) from.pause();
      }),
    );
    to.on("drain", () => from.resume());
    from.on("end", () => this.#add(0, () => to.end()));
    let isBroken = false;
    from.on("error", () => {
      isBroken = true;
    });
    from.on("close", () => this.#add(0, () => (isBroken ? reset(to) : to.destroySoon())));
  }

  /** Applies changed conditions to the bytes that wait. */
  update(): void {
    const now = performance.now();
    const { delayMs, jitterMs } = this.#conditions();
    // A fault that ends releases its bytes at once.
    this.#lastAt = Math.min(this.#lastAt, now + delayMs + jitterMs);
    for (const step of this.#waiting) step.at = Math.min(step.at, this.#lastAt);
    this.#flush();
  }

  #add(bytes: number, take: () => void): void {
    const { delayMs, jitterMs, stallShare, stallMs, bytesPerSecond } = this.#conditions();
    const stall = stallShare > 0 && Math.random() < stallShare ? stallMs : 0;
    const arrival = performance.now() + delayMs + Math.random() * jitterMs;
    this.#lastAt = Math.max(this.#lastAt, arrival) + stall + (bytes / bytesPerSecond) * 1_000;
    this.#waiting.push({ at: this.#lastAt, bytes, take });
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > WAITING_MAX_BYTES) this.#from.pause();
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    if (this.#conditions()[this.#blocked]) return;
    const wasFull = this.#waitingBytes > WAITING_MAX_BYTES;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const wait = next.at - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#flush(), Math.ceil(wait));
        break;
      }
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes;
      next.take();
    }
    if (wasFull && this.#waitingBytes <= WAITING_MAX_BYTES) this.#from.resume();
  }
}
