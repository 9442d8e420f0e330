import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { constants } from "node:os";
import { json } from "node:stream/consumers";
import { lowerPriority } from "@messageoh/service-kit/priority";
import { pause } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import { type AttackOutcome, type AttackPlan, COUNTER } from "./plan.ts";
import { uploadOnce } from "./uploads.ts";

const TICK_MS = 5;
/** Pipelined requests per connection, and frames per batch. */
const PIPELINED = 10;
const FRAMES_PER_BATCH = 50;
const MARK = Buffer.from("HTTP/1.1 ");
type Sender = AttackPlan["senders"][number];

async function attack(plan: AttackPlan): Promise<AttackOutcome> {
  const outcome: AttackOutcome = { sent: 0, responses: {}, cpu: 0 };
  const count = (response: string) => {
    outcome.responses[response] = (outcome.responses[response] ?? 0) + 1;
  };
  const addressOf = (n: number) => plan.addresses[n % plan.addresses.length] as string;
  const uploaders = plan.senders.filter(({ uploadsTo }) => uploadsTo !== undefined);
  const picture = uploaders.length > 0 ? await readFile(plan.picturePath) : Buffer.alloc(0);
  const connections = Array.from({ length: uploaders.length > 0 ? 0 : plan.connections }, (_, n) => {
    const address = addressOf(n);
    const sender = plan.senders[n % plan.senders.length] as Sender;
    return sender.requests
      ? new HttpConnection(plan.port, address, sender, count)
      : new FrameConnection(plan.port, address, sender, count);
  });
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const elapsed = () => performance.now() - startedAt;
  const used = () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return (user + system) / 1_000 / elapsed();
  };
  const isOver = () => elapsed() >= plan.seconds * 1_000;
  const uploading = uploaders.map(({ cookie, uploadsTo = "" }, n) =>
    uploadOnce({
      ...{ port: plan.port, localAddress: addressOf(n), cookie, threadId: uploadsTo, picture, onResponse: count },
      async mayGoOn() {
        while (used() >= plan.cpu && !isOver()) await pause(TICK_MS);
        outcome.sent += 1;
        return !isOver();
      },
    }),
  );
  for (let next = 0; !isOver(); ) {
    for (
      let attempt = 0;
      attempt < connections.length && used() < plan.cpu && outcome.sent < plan.countMax;
      attempt += 1
    ) {
      outcome.sent += connections[next++ % connections.length]?.send(outcome.sent) ?? 0;
    }
    await pause(TICK_MS);
  }
  await Promise.all(uploading);
  outcome.cpu = used();
  return outcome;
}

const numberOf = (n: number) => String(n).padStart(8, "0");

/** Pipelines requests and reconnects when the server closes the connection. */
class HttpConnection {
  #socket: Socket | undefined;
  #waiting = 0;
  #rest = Buffer.alloc(0);
  readonly #open: () => Socket;
  readonly #heads: string[][];
  readonly #count: (response: string) => void;

  constructor(
    port: number,
    localAddress: string,
    { cookie, requests = [] }: Sender,
    count: (response: string) => void,
  ) {
    this.#open = () => connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
    this.#count = count;
    this.#heads = requests.map(({ method, path, body = "" }) => {
      const headers = [`Host: localhost:${port}`, ...(cookie ? [`Cookie: ${cookie}`] : [])];
      if (body)
        headers.push(
          "Content-Type: application/json",
          `Content-Length: ${Buffer.byteLength(body.replaceAll(COUNTER, "0".repeat(8)))}`,
        );
      return `${method} ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`.split(COUNTER);
    });
  }

  /** Fills the pipeline and returns the number of requests sent. */
  send(from: number): number {
    const socket = this.#socket ?? this.#connect();
    const free = socket.writableNeedDrain ? 0 : PIPELINED - this.#waiting;
    if (free < PIPELINED / 2) return 0;
    let text = "";
    for (let n = from; n < from + free; n += 1) {
      text += (this.#heads[n % this.#heads.length] as string[]).join(numberOf(n));
    }
    socket.write(text);
    this.#waiting += free;
    return free;
  }

  #connect(): Socket {
    const socket = this.#open();
    this.#socket = socket;
    this.#waiting = 0;
    socket.on("error", () => {});
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.once("close", () => {
      for (; this.#waiting > 0; this.#waiting -= 1) this.#count("none");
      this.#socket = undefined;
    });
    return socket;
  }

  #receive(chunk: Buffer): void {
    const seen = Buffer.concat([this.#rest, chunk]);
    let at = seen.indexOf(MARK);
    for (; at >= 0 && at + 12 <= seen.length; at = seen.indexOf(MARK, at + 12)) {
      this.#count(seen.toString("latin1", at + 9, at + 12));
      this.#waiting -= 1;
    }
    this.#rest = Buffer.from(seen.subarray(at >= 0 ? at : Math.max(0, seen.length - MARK.length + 1)));
  }
}

/** Sends frames as fast as possible and reconnects when the server closes the connection. */
class FrameConnection {
  #client: EngineClient | undefined;
  #isOpening = false;
  readonly #open: () => Promise<EngineClient>;
  readonly #frames: string[][];

  constructor(port: number, localAddress: string, sender: Sender, count: (response: string) => void) {
    const { cookie, frames = [], isBeforeConnect } = sender;
    const url = `http://127.0.0.1:${port}`;
    const onFrame = (frame: string) => {
      if (frame.startsWith("43")) count(frame.includes('[{"error"') ? "400" : "200");
    };
    this.#open = () =>
      isBeforeConnect
        ? EngineClient.open(url, cookie, { localAddress })
        : EngineClient.signIn(url, cookie, { localAddress, onFrame });
    this.#frames = frames.map((frame) => frame.split(COUNTER));
  }

  send(from: number): number {
    if (!this.#client?.isOpen) {
      if (!this.#isOpening) this.#connect();
      return 0;
    }
    for (let n = from; n < from + FRAMES_PER_BATCH; n += 1) {
      if (this.#client.isFull) return n - from;
      this.#client.send((this.#frames[n % this.#frames.length] as string[]).join(numberOf(n)));
    }
    return FRAMES_PER_BATCH;
  }

  #connect(): void {
    this.#isOpening = true;
    this.#open()
      .then((client) => {
        this.#client = client;
      })
      .catch(() => {})
      .finally(() => {
        this.#isOpening = false;
      });
  }
}

// Runs in its own process, so that its work does not delay the measured clients. A real attacker has cores of its own.
// Here it gets what the product leaves; the gateway lets no more calls pass anyway.
if (import.meta.main) {
  lowerPriority(constants.priority.PRIORITY_LOW);
  process.stdout.write(JSON.stringify(await attack((await json(process.stdin)) as AttackPlan)), () => process.exit(0));
}
