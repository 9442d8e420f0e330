import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { aMessage } from "../testing/builders.ts";

describe("a chat that loads and connects", () => {
  fakeTimersWithoutWarnings();

  it("loads friends, previews and threads in parallel", async () => {
    const { begin, now, server } = aChat();
    await begin();
    expect(server.calls.slice(0, 3)).toEqual(["friends", "previews", "threads"]);
    expect(now().status).toBe("ready");
    expect(now().friends.map(({ friend }) => friend.name)).toEqual(["Bob", "Cleo"]);
  });

  it("reports a failure to load and loads on Retry", async () => {
    const { chat, begin, now, server, reported } = aChat();
    server.isUp = false;
    await begin();
    expect(now().status).toBe("failed");
    expect(reported).toEqual([]);
    server.isUp = true;
    chat.retryLoad();
    expect(now().status).toBe("loading");
    await settle();
    expect(now().status).toBe("ready");
  });

  it("loads when the network is back, and shows the failure until then", async () => {
    const { begin, now, server, listeners } = aChat();
    server.isUp = false;
    await begin();
    server.isUp = true;
    listeners().onNetwork();
    expect(now().status).toBe("failed");
    await settle();
    expect(now().status).toBe("ready");
  });

  it("redirects to /home if the URL names no friend", async () => {
    const { begin, reported } = aChat({ friendId: "nobody" });
    await begin();
    expect(reported).toEqual(["/home"]);
  });

  it("joins all rooms on every connection", async () => {
    const { begin, connect, disconnect, server } = aChat();
    await begin();
    await connect();
    expect(server.emitted).toEqual(["join_add_friend_room", "join_room", "join_room"]);
    await disconnect();
    await connect();
    expect(server.emitted).toHaveLength(6);
  });

  it("catches up after it is connected, not before", async () => {
    const { begin, connect, server } = aChat();
    await begin();
    server.calls.length = 0;
    await connect();
    expect(server.calls).toEqual(["threads", "friends"]);
  });

  it("fetches messages that were stored while it was disconnected", async () => {
    const { begin, connect, disconnect, now, server, chat } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    await disconnect();
    server.last = 8;
    await connect();
    expect(now().active?.thread.messages.map((message) => message.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    chat.stop();
  });

  it("reports that it is degraded while the server is, and polls more often", async () => {
    const { begin, connect, now, server, handlers } = aChat();
    await begin();
    await connect();
    handlers().service_state({ is_degraded: true });
    expect(now().connection).toBe("degraded");
    server.calls.length = 0;
    await settle(20_000);
    expect(server.calls.length).toBeGreaterThanOrEqual(3);
    handlers().service_state({ is_degraded: false });
    expect(now().connection).toBe("connected");
  });

  it("shows why the server refuses the connection until it is connected", async () => {
    const { begin, connect, disconnect, now, refuse } = aChat();
    await begin();
    await connect();
    await disconnect();
    refuse("Please close some tabs");
    await settle(3_000);
    expect([now().connection, now().connectionReason]).toEqual(["connecting", "Please close some tabs"]);
    await connect();
    expect([now().connection, now().connectionReason]).toEqual(["connected", null]);
  });

  it("reports that the browser is offline, and clears the presence", async () => {
    const { begin, connect, now, page, handlers, listeners } = aChat();
    await begin();
    await connect();
    handlers().presence({ user_id: "bob", is_online: true });
    expect(now().friends[0]?.isOnline).toBe(true);
    page.isOnline = false;
    listeners().onNetwork();
    expect(now().connection).toBe("offline");
    expect(now().friends[0]?.isOnline).toBe(false);
  });

  it("catches up when the page becomes visible", async () => {
    const { begin, connect, page, server, listeners } = aChat();
    await begin();
    await connect();
    page.isVisible = false;
    listeners().onVisibility();
    server.calls.length = 0;
    page.isVisible = true;
    listeners().onVisibility();
    await settle();
    expect(server.calls).toEqual(["threads"]);
  });

  it("starts again after it was stopped, as in React's strict mode", async () => {
    const { chat, begin, connect, now, handlers } = aChat();
    chat.start();
    chat.stop();
    await begin();
    await connect();
    handlers().receive_message(aMessage({ seq: 4 }));
    expect(now().totalUnread).toBe(1);
  });
});
