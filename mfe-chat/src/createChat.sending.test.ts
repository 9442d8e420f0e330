import { SENDING_TOO_FAST } from "@messageoh/contracts/errorTexts";
import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { aLinkPreview, fromMe, WITH_BOB } from "../testing/builders.ts";

describe("a chat that sends", () => {
  fakeTimersWithoutWarnings();

  it("sends a message with read=false and a client id, and keeps its key", async () => {
    const { chat, begin, connect, now, server } = aChat({ friendId: "bob" });
    server.ack = (text, client_id) => ({ message: fromMe({ seq: 4, text, client_id }) });
    await begin();
    await connect();
    chat.messages.saveDraft(WITH_BOB, "Hello");
    const sentAt = Date.now();
    chat.messages.send(WITH_BOB, "  Hello  ");
    const { id, timestamp, threadId } = now().active?.thread.messages.at(-1) ?? {};
    expect({ id, threadId }).toEqual({ id: timestamp, threadId: WITH_BOB });
    const key = now().active?.thread.messages.at(-1)?.key;
    await settle();
    const payload = server.payloads[server.emitted.indexOf("send_message")];
    // The six fields of the specification, and the client id.
    expect(payload).toEqual({
      thread_id: WITH_BOB,
      sending_user_id: "me",
      recipient_user_id: "bob",
      text: "  Hello",
      timestamp: new Date(sentAt).toISOString(),
      read: false,
      client_id: key,
    });
    expect(now().active?.thread.messages.at(-1)).toMatchObject({ key, seq: 4, sendState: "sent" });
    expect(chat.messages.draftOf(WITH_BOB)).toBe("");
  });

  it("sends messages that were written before it connected", async () => {
    const { chat, begin, connect, server } = aChat({ friendId: "bob" });
    await begin();
    chat.messages.send(WITH_BOB, "1");
    chat.messages.send(WITH_BOB, "2");
    let seq = 3;
    server.ack = (text, client_id) => {
      seq += 1;
      return { message: fromMe({ seq, text, client_id }) };
    };
    await connect();
    const sent = server.payloads.filter((_, index) => server.emitted[index] === "send_message");
    expect(sent).toMatchObject([{ text: "1" }, { text: "2" }]);
  });

  it("does not send an empty message", async () => {
    const { chat, begin, connect, server } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    chat.messages.send(WITH_BOB, "  \n ");
    expect(server.emitted).not.toContain("send_message");
  });

  it("keeps an unsent message until the page is opened again", async () => {
    const { chat, begin, now, values } = aChat({ friendId: "bob" });
    await begin();
    chat.messages.send(WITH_BOB, "Later");
    expect(now().active?.thread.messages.at(-1)).toMatchObject({ text: "Later", sendState: "sending" });
    expect([...values.values()].some((value) => value.includes("Later"))).toBe(true);
  });

  it.each([
    ["the friendship ended", "You can only write to your friends"],
    ["the friend deleted the account", "This account was deleted"],
  ])("shows a message as not sent, with the reason, if %s at the same moment", async (_, error) => {
    const { chat, begin, connect, now, server } = aChat();
    server.ack = () => ({ error, is_retryable: false });
    await begin();
    await connect();
    chat.messages.send(WITH_BOB, "too late");
    await settle(60_000);
    expect(server.emitted.filter((name) => name === "send_message")).toHaveLength(1);
    expect(now().friends[0]?.thread.messages.at(-1)).toMatchObject({
      text: "too late",
      sendState: "not-sent",
      notSentReason: error,
    });
  });

  it("shows the server's reason while a message waits", async () => {
    const { chat, begin, connect, now, server } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    server.ack = () => ({ error: "You are sending too fast", is_retryable: true });
    chat.messages.send("with-bob", "Hurry");
    await settle();
    expect([now().connection, now().connectionReason]).toEqual(["degraded", "You are sending too fast"]);
    server.ack = (text, client_id) => ({ message: fromMe({ seq: 4, text, client_id }) });
    await settle(10_000);
    expect([now().connection, now().connectionReason]).toEqual(["connected", null]);
  });

  it("resends rate-limited messages in order, and reports the delay", async () => {
    const { chat, begin, connect, now, server } = aChat({ friendId: "bob" });
    await begin();
    await connect();
    let allowed = 1;
    let seq = 3;
    server.ack = (text, client_id) => {
      if (allowed === 0) return { error: SENDING_TOO_FAST, is_retryable: true };
      allowed -= 1;
      seq += 1;
      return { message: fromMe({ seq, text, client_id }) };
    };
    for (const text of ["a", "b", "c"]) chat.messages.send(WITH_BOB, text);
    await settle();
    expect([now().connection, now().connectionReason]).toEqual(["degraded", SENDING_TOO_FAST]);
    allowed = 2;
    await settle(10_000);
    expect([now().connection, now().connectionReason]).toEqual(["connected", null]);
    expect(now().active?.thread.messages.slice(-3)).toMatchObject([
      { text: "a", seq: 4, sendState: "sent" },
      { text: "b", seq: 5, sendState: "sent" },
      { text: "c", seq: 6, sendState: "sent" },
    ]);
  });

  describe("while the files of an earlier message are prepared", () => {
    /** Sends a message with a file that is never prepared. */
    async function sent() {
      const opened = aChat({ friendId: "bob" });
      await opened.begin();
      await opened.connect();
      const content = new Blob(["text"]);
      content.slice = () => ({ arrayBuffer: () => new Promise(() => undefined) }) as unknown as Blob;
      const file = { key: "key", name: "a.jpg", bytes: 4, type: "image/jpeg", content };
      opened.chat.attachments.add(WITH_BOB, { ...file, preparing: new Promise(() => undefined) });
      opened.chat.messages.send(WITH_BOB, "The plan");
      return opened;
    }

    it("sends a text with the preview of its link", async () => {
      const { chat, server } = await sent();
      chat.messages.send(WITH_BOB, aLinkPreview().url, aLinkPreview());
      await settle();
      const payloads = server.payloads.filter((_, index) => server.emitted[index] === "send_message");
      expect(payloads).toMatchObject([{ text: aLinkPreview().url, preview: aLinkPreview().id }]);
    });

    it("is the tab that sends, because it prepares them", async () => {
      const { server, now } = await sent();
      expect(now().active?.thread.messages.at(-1)).toMatchObject({ text: "The plan", isUploading: true });
      expect(server.calls).toContain("take over");
    });
  });
});
