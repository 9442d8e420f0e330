import { io } from "socket.io-client";
import { createChatSocket } from "./socket.ts";

jest.mock("socket.io-client", () => {
  const actual = jest.requireActual<typeof import("socket.io-client")>("socket.io-client");
  return { ...actual, io: jest.fn((options) => actual.io("http://localhost:1", options)) };
});

/** Returns the socket that the page opens, which never connects. */
function pageSocket() {
  const chatSocket = createChatSocket();
  const socket = jest.mocked(io).mock.results.at(-1)?.value as ReturnType<typeof io>;
  return { chatSocket, socket, options: { ...Object(jest.mocked(io).mock.calls.at(-1)?.[0]) } };
}

describe("page's socket", () => {
  it("connects to /socket.io on its own host", () => {
    expect(pageSocket().options.path).toBe("/socket.io");
    expect(typeof jest.mocked(io).mock.calls.at(-1)?.[0]).toBe("object");
  });

  it("uses long-polling first and upgrades to websocket", () => {
    expect(pageSocket().options.transports).toEqual(["polling", "websocket"]);
    expect(pageSocket().options.upgrade).not.toBe(false);
    // With `rememberUpgrade`, a second connection of the page would start with websocket.
    expect(pageSocket().options.rememberUpgrade).not.toBe(true);
  });

  it("sends its first request by long-polling", () => {
    const { socket } = pageSocket();
    socket.connect();
    const { name } = socket.io.engine.transport;
    socket.disconnect();
    expect(name).toBe("polling");
  });

  it("reconnects with unlimited attempts", () => {
    const { io: manager } = pageSocket().socket;
    expect(manager.reconnection()).toBe(true);
    expect(manager.reconnectionAttempts()).toBe(Number.POSITIVE_INFINITY);
  });

  it("waits 1 to 5 seconds before a reconnect, randomised by 0.5", () => {
    const { io: manager } = pageSocket().socket;
    expect(manager.reconnectionDelay()).toBe(1_000);
    expect(manager.reconnectionDelayMax()).toBe(5_000);
    expect(manager.randomizationFactor()).toBe(0.5);
  });

  it("times a connection out after 20 seconds", () => {
    expect(pageSocket().socket.io.timeout()).toBe(20_000);
  });

  it.each(["connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"])(
    "cannot emit the reserved event %s",
    (name) => {
      expect(() => pageSocket().socket.emit(name)).toThrow("is a reserved event name");
    },
  );

  it("fails with 'operation has timed out' without a response", async () => {
    const { chatSocket, socket } = pageSocket();
    socket.connect();
    // As if it was connected: the engine keeps the packet, and no response comes.
    socket.connected = true;
    const request = chatSocket.request("typing", { thread_id: "t", is_typing: true }, 1);
    await expect(request).rejects.toThrow("operation has timed out");
    chatSocket.close();
  });
});
