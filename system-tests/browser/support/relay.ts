import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** A relay to the stack under test. For a browser, a stopped relay is a stopped stack. */
export class Relay {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(baseUrl: string) {
    this.#target = Number(new URL(baseUrl).port);
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((from) => {
      const to = connect(this.#target, "127.0.0.1");
      this.#sockets.add(from);
      // Destroys both when one of them fails or closes.
      pipeline(from, to, from, () => this.#sockets.delete(from));
    });
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = this.#server && once(this.#server, "close");
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = undefined;
  }
}
