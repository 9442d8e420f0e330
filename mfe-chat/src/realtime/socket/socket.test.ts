import { fakeTimersWithoutWarnings } from "../../../testing/aChat.ts";
import { aMessage } from "../../../testing/builders.ts";
import { createChatSocket, type ServerHandlers } from "./socket.ts";

type Listener = (...values: unknown[]) => void;

/** Returns a Socket.IO client without a network. */
function fakeSocket() {
  const listeners = new Map<string, Listener[]>();
  const calls: string[] = [];
  const socket = {
    connected: true,
    active: true,
    on(name: string, listener: Listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    },
    connect: () => void calls.push("connect"),
    disconnect: () => void calls.push("disconnect"),
    emit: (name: string) => void calls.push(`emit ${name}`),
    timeout: (ms: number) => ({ emitWithAck: async (name: string) => `${name} within ${ms}` }),
  };
  const happen = (name: string, ...values: unknown[]) => {
    for (const listener of listeners.get(name) ?? []) listener(...values);
  };
  return { socket, calls, happen, listeners };
}

function connected() {
  // Without jitter.
  jest.spyOn(Math, "random").mockReturnValue(1);
  const fake = fakeSocket();
  const reported: string[] = [];
  const handlers = new Proxy({} as ServerHandlers, {
    get: (_, name) => (payload: { id?: string }) => reported.push(`${String(name)} ${payload.id ?? ""}`.trim()),
  });
  const chatSocket = createChatSocket(fake.socket);
  chatSocket.listen({
    handlers,
    onConnect: () => reported.push("connected"),
    onDisconnect: () => reported.push("disconnected"),
    onUnauthorised: () => reported.push("unauthorised"),
    onRefused: (reason) => reported.push(`refused: ${reason}`),
    onUnreachable: () => reported.push("unreachable"),
  });
  chatSocket.connect();
  fake.calls.length = 0;
  return { ...fake, chatSocket, reported };
}

describe("chat socket", () => {
  fakeTimersWithoutWarnings();

  it("passes on a valid message", () => {
    const { happen, reported } = connected();
    happen("receive_message", aMessage());
    expect(reported).toEqual(["receive_message with-bob-1"]);
  });

  it("drops an invalid payload and logs it", () => {
    const { happen, reported } = connected();
    happen("receive_message", { ...aMessage(), seq: "one" });
    happen("typing", null);
    expect(reported).toEqual([]);
    expect(console.warn).toHaveBeenCalledTimes(2);
  });

  it("listens once to each event, also after a reconnect", () => {
    const { happen, listeners, reported } = connected();
    happen("connect");
    happen("disconnect", "transport close");
    happen("connect");
    expect([...listeners.values()].every((ofEvent) => ofEvent.length === 1)).toBe(true);
    happen("receive_message", aMessage());
    expect(reported.filter((line) => line.startsWith("receive_message"))).toHaveLength(1);
  });

  it("leaves a draining instance after a random delay", () => {
    const { happen, calls } = connected();
    happen("server_draining", { within_ms: 4000 });
    jest.advanceTimersByTime(3999);
    expect(calls).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(calls).toEqual(["disconnect", "connect"]);
  });

  it("limits reconnects to an instance that is draining again", () => {
    const { happen, calls } = connected();
    happen("server_draining", { within_ms: 0 });
    jest.advanceTimersByTime(499);
    expect(calls).toEqual([]);
  });

  it("reconnects if the server closed the connection", () => {
    const { happen, calls } = connected();
    happen("disconnect", "io server disconnect");
    jest.advanceTimersByTime(2000);
    expect(calls).toEqual(["connect"]);
  });

  it("leaves other interruptions to the client's own reconnection", () => {
    const { happen, calls } = connected();
    happen("disconnect", "transport close");
    jest.advanceTimersByTime(60_000);
    expect(calls).toEqual([]);
  });

  it("reports that the server does not know the session, and retries", () => {
    const { happen, calls, reported, socket } = connected();
    socket.active = false;
    happen("connect_error", new Error("unauthorised"));
    expect(reported).toEqual(["unauthorised"]);
    jest.advanceTimersByTime(4000);
    expect(calls).toEqual(["connect"]);
  });

  it("reports a handshake that is rejected without a session", () => {
    const { happen, reported } = connected();
    happen("connect_error", Object.assign(new Error("xhr poll error"), { description: 401, context: {} }));
    expect(reported).toEqual(["unauthorised"]);
  });

  it("does not report a network failure as the end of a session", () => {
    const { happen, reported } = connected();
    happen("connect_error", new Error("xhr poll error"));
    expect(reported).toEqual(["unreachable"]);
  });

  it("passes on why the server refuses a connection", () => {
    const { happen, reported, socket } = connected();
    const context = { responseText: JSON.stringify({ error: "Too many connections" }) };
    happen("connect_error", Object.assign(new Error("xhr poll error"), { description: 429, context }));
    happen("connect_error", Object.assign(new Error("xhr poll error"), { description: 502, context }));
    happen("connect_error", Object.assign(new Error("xhr poll error"), { description: 429, context: {} }));
    socket.active = false;
    happen("connect_error", new Error("Too many tabs"));
    expect(reported.filter((event) => event !== "unreachable")).toEqual([
      "refused: Too many connections",
      "refused: Too many tabs",
    ]);
  });

  it("drops events without a connection", async () => {
    const { chatSocket, calls, socket } = connected();
    socket.connected = false;
    chatSocket.emit("typing", { thread_id: "t", is_typing: true });
    expect(calls).toEqual([]);
    await expect(chatSocket.request("typing", { thread_id: "t", is_typing: true }, 100)).rejects.toThrow(
      "Not connected",
    );
  });

  it("passes the time limit of a request to the client", async () => {
    const { chatSocket } = connected();
    await expect(chatSocket.request("typing", { thread_id: "t", is_typing: true }, 100)).resolves.toBe(
      "typing within 100",
    );
  });

  it("does not reconnect after it was closed", () => {
    const { happen, chatSocket, calls } = connected();
    happen("disconnect", "io server disconnect");
    chatSocket.close();
    jest.advanceTimersByTime(60_000);
    expect(calls).toEqual(["disconnect"]);
  });

  it("connects early only if it is not connected", () => {
    const { chatSocket, calls, socket } = connected();
    chatSocket.connectNow();
    expect(calls).toEqual([]);
    socket.connected = false;
    chatSocket.connectNow();
    expect(calls).toEqual(["disconnect", "connect"]);
  });
});
