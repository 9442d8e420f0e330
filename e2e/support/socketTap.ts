import type { Page } from "@playwright/test";

export interface SocketEvent {
  name: string;
  payload: Record<string, unknown>;
}

/** Hears every event that a page sends, whether by long-polling or by websocket. */
export class SocketTap {
  readonly sent: SocketEvent[] = [];
  /** How the page reached the socket's path, in order. */
  readonly addresses: string[] = [];

  constructor(page: Page) {
    page.on("request", (request) => {
      if (!isSocket(request.url())) return;
      this.addresses.push(request.url());
      for (const packet of (request.postData() ?? "").split("\u001e")) this.#hear(packet);
    });
    page.on("websocket", (socket) => {
      if (!isSocket(socket.url())) return;
      this.addresses.push(socket.url());
      socket.on("framesent", ({ payload }) => this.#hear(String(payload)));
    });
  }

  payloads(name: string): SocketEvent["payload"][] {
    return this.sent.filter((event) => event.name === name).map((event) => event.payload);
  }

  // 4 is a message, 2 an event; the number of its ack may follow.
  #hear(packet: string): void {
    const json = /^42\d*(\[.*\])$/s.exec(packet)?.[1];
    if (!json) return;
    const [name, payload] = JSON.parse(json) as [string, SocketEvent["payload"]];
    this.sent.push({ name, payload });
  }
}

const isSocket = (url: string) => new URL(url).pathname.startsWith("/socket.io/");
