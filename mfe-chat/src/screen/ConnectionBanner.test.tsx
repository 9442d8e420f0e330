import { screen } from "@testing-library/react";
import { fakeTime, renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

startChatServer();

const OFFLINE = "You are offline. Messages will be sent when the connection is back.";
const DEGRADED = "Messages may arrive late at the moment.";

describe("the connection banner", () => {
  beforeEach(() => fakeTime());
  afterEach(() => jest.useRealTimers());

  async function connected() {
    const chat = renderChat({ advanceTimers: jest.advanceTimersByTime });
    await screen.findByRole("navigation", { name: "Friends" });
    await chat.connect();
    await chat.pass(5_000);
    return chat;
  }

  it("is absent while the chat is connected", async () => {
    await connected();
    expect(screen.queryByRole("status")).toBeNull();
  });

  it("says at once that the browser is offline, and disappears with it", async () => {
    const { setOnline } = await connected();
    await setOnline(false);
    expect(screen.getByRole("status").textContent).toBe(OFFLINE);
    await setOnline(true);
    expect(screen.queryByText(OFFLINE)).toBeNull();
  });

  it("says that the server stores late, after 1.5 s", async () => {
    const { receive, pass } = await connected();
    await receive((handlers) => handlers.service_state({ is_degraded: true }));
    await pass(1_499);
    expect(screen.queryByText(DEGRADED)).toBeNull();
    await pass(1);
    expect(screen.getByRole("status").textContent).toBe(DEGRADED);
    await receive((handlers) => handlers.service_state({ is_degraded: false }));
    expect(screen.queryByText(DEGRADED)).toBeNull();
  });

  it("stays silent about a short break of the connection", async () => {
    const { disconnect, connect, pass } = await connected();
    await disconnect();
    await pass(2_900);
    await connect();
    await pass(5_000);
    expect(screen.queryByRole("status")).toBeNull();
  });
});
