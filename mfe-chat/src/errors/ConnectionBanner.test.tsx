import { listThreads } from "@messageoh/contracts/messages";
import { refuse } from "@messageoh/contracts/testing/httpServer";
import { act, screen } from "@testing-library/react";
import { fakeTime, renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

const server = startChatServer();

const OFFLINE = "You are offline. Messages will be sent when the connection is back.";
const UNREACHABLE = "The server does not respond. Trying again every few seconds.";
const DEGRADED = "Messages may arrive late at the moment.";

describe("connection banner", () => {
  beforeEach(() => fakeTime());
  afterEach(() => jest.useRealTimers());

  async function connected() {
    const chat = renderChat({ advanceTimers: jest.advanceTimersByTime });
    await screen.findByRole("navigation", { name: "Friends" });
    await chat.connect();
    await chat.pass(5_000);
    return chat;
  }

  it("is hidden while the chat is connected", async () => {
    await connected();
    expect(screen.getByRole("status").textContent).toBe("");
  });

  it("reports at once that the browser is offline, and is hidden when it is online", async () => {
    const { setOnline } = await connected();
    // Screen readers announce only changes in a region that is there.
    const region = screen.getByRole("status");
    await setOnline(false);
    expect(screen.getByRole("status")).toBe(region);
    expect(region.textContent).toBe(OFFLINE);
    await setOnline(true);
    expect(screen.queryByText(OFFLINE)).toBeNull();
  });

  it("reports after 1.5 s that the server stores late", async () => {
    const { receive, pass } = await connected();
    await receive((handlers) => handlers.service_state({ is_degraded: true }));
    await pass(1_499);
    expect(screen.queryByText(DEGRADED)).toBeNull();
    await pass(1);
    expect(screen.getByRole("status").textContent).toBe(DEGRADED);
    await receive((handlers) => handlers.service_state({ is_degraded: false }));
    expect(screen.queryByText(DEGRADED)).toBeNull();
  });

  it("reports that the server does not respond, and tries again on request", async () => {
    const { disconnect, failToConnect, connect, connectNow, pass, user } = await connected();
    server.use(refuse(listThreads, 503, "down"));
    await disconnect();
    await pass(5_000);
    expect(screen.getByRole("status").textContent).toBe("Reconnecting...");
    await failToConnect();
    expect(screen.getByRole("status").textContent).toBe(UNREACHABLE);
    connectNow.mockClear();
    await user.click(screen.getByRole("button", { name: "Try now" }));
    expect(connectNow).toHaveBeenCalledTimes(1);
    expect(screen.getByRole("status").textContent).toBe("Reconnecting...");
    await failToConnect();
    expect(screen.getByRole("status").textContent).toBe(UNREACHABLE);
    await connect();
    expect(screen.queryByText(UNREACHABLE)).toBeNull();
  });

  it("keeps the keyboard focus when the button to try again disappears", async () => {
    const { disconnect, failToConnect, connect, pass, user } = await connected();
    server.use(refuse(listThreads, 503, "down"));
    await disconnect();
    await pass(5_000);
    await failToConnect();
    act(() => screen.getByRole("button", { name: "Try now" }).focus());
    await user.keyboard("{Enter}");
    expect(screen.queryByRole("button", { name: "Try now" })).toBeNull();
    const banner = screen.getByRole("status").parentElement;
    expect(document.activeElement).toBe(banner);
    await connect();
    expect(screen.getByRole("status").textContent).toBe("");
    expect(document.activeElement).toBe(banner);
  });

  it("is hidden during a short interruption", async () => {
    const { disconnect, connect, pass } = await connected();
    await disconnect();
    await pass(2_900);
    expect(screen.getByRole("status").textContent).toBe("");
    await connect();
    await pass(5_000);
    expect(screen.getByRole("status").textContent).toBe("");
  });
});
