import type { Page } from "@playwright/test";

interface SocketEvent {
  name: string;
  payload: Record<string, unknown>;
}

/** Records every event that a page sends by long-polling or WebSocket. */
export class SocketTap {
  readonly sent: SocketEvent[] = [];
  /** URLs of the Socket.IO requests in order. */
  readonly addresses: string[] = [];

  constructor(page: Page) {
    page.on("request", (request) => {
      if (!isSocket(request.url())) return;
      this.addresses.push(request.url());
      for (const packet of (request.postData() ?? "").split("\u001e")) this.#record(packet);
    });
    page.on("websocket", (socket) => {
      if (!isSocket(socket.url())) return;
      this.addresses.push(socket.url());
      socket.on("framesent", ({ payload }) => this.#record(String(payload)));
    });
  }

  payloads(name: string): SocketEvent["payload"][] {
    return this.sent.filter((event) => event.name === name).map((event) => event.payload);
  }

  // Packet type 4 is a message, 2 an event; an ack id may follow.
  #record(packet: string): void {
    const json = /^42\d*(\[.*\])$/s.exec(packet)?.[1];
    if (!json) return;
    const [name, payload] = JSON.parse(json) as [string, SocketEvent["payload"]];
    this.sent.push({ name, payload });
  }
}

const isSocket = (url: string) => new URL(url).pathname.startsWith("/socket.io/");
