import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { anAttachment, fromCleo, WITH_BOB, WITH_CLEO } from "../testing/builders.ts";
import type { ThreadMessage } from "./state/thread/shownMessages.ts";

const original = (seq: number, parts: Partial<ThreadMessage> = {}): ThreadMessage => ({
  key: `original-${seq}`,
  id: `original-${seq}`,
  threadId: WITH_BOB,
  seq,
  isMine: false,
  text: `Original ${seq}`,
  timestamp: new Date().toISOString(),
  sendState: null,
  ...parts,
});

describe("a chat that forwards", () => {
  fakeTimersWithoutWarnings();

  /** Returns a chat that records what it sends to each thread. */
  async function opened(friendId = "cleo") {
    const chat = aChat({ friendId });
    await chat.begin();
    let seq = 3;
    chat.server.ack = (text, client_id) => {
      seq += 1;
      return { message: fromCleo({ seq, text, client_id, sending_user_id: "me", recipient_user_id: "cleo" }) };
    };
    const sent = () => chat.server.payloads.filter((_, index) => chat.server.emitted[index] === "send_message");
    return { ...chat, sent, shown: () => chat.now().active?.thread.messages ?? [] };
  }

  it("sends each message to each friend, in order, when it is connected", async () => {
    const { chat, connect, sent, shown } = await opened();
    chat.messages.forward([original(1), original(2)], ["cleo", "bob"]);
    expect(shown()).toMatchObject([
      { text: "Original 1", sendState: "sending", forwarded: 1 },
      { text: "Original 2", sendState: "sending", forwarded: 1 },
    ]);
    await connect();
    await settle();
    const toCleo = sent().filter((payload) => (payload as { thread_id: string }).thread_id === WITH_CLEO);
    expect(toCleo).toMatchObject([
      { recipient_user_id: "cleo", text: "Original 1", forward_of: { thread_id: WITH_BOB, seq: 1 } },
      { recipient_user_id: "cleo", text: "Original 2", forward_of: { thread_id: WITH_BOB, seq: 2 } },
    ]);
    expect(sent()).toContainEqual(
      expect.objectContaining({ thread_id: WITH_BOB, forward_of: { thread_id: WITH_BOB, seq: 1 } }),
    );
  });

  it("shows the files of the original, and leaves it to the server to copy them", async () => {
    const { chat, connect, sent, shown } = await opened();
    const attachment = anAttachment({ id: "media-9", name: "plan.pdf" });
    chat.messages.forward([original(1, { text: "", attachments: [attachment] })], ["cleo"]);
    expect(shown()).toMatchObject([{ text: "", attachments: [attachment] }]);
    await connect();
    await settle();
    expect(sent()).toMatchObject([{ text: "File: plan.pdf", forward_of: { thread_id: WITH_BOB, seq: 1 } }]);
    expect(sent()[0]).not.toHaveProperty("attachments", expect.anything());
  });

  it.each([
    [1, 2],
    [4, 5],
    [5, 5],
  ])("counts a message that was forwarded %i times as forwarded %i times", async (before, after) => {
    const { chat, shown } = await opened();
    chat.messages.forward([original(1, { forwarded: before })], ["cleo"]);
    expect(shown()).toMatchObject([{ forwarded: after }]);
  });

  it("keeps what it forwards until the page is opened again", async () => {
    const { chat, values } = await opened();
    chat.messages.forward([original(1)], ["cleo"]);
    expect([...values.values()].some((value) => value.includes('"forward_of"'))).toBe(true);
  });

  it("shows why the server refuses a message, which can be sent again", async () => {
    const { chat, connect, server, sent, shown } = await opened();
    server.ack = () => ({ error: "This message was deleted", is_retryable: false });
    chat.messages.forward([original(1)], ["cleo"]);
    await connect();
    await settle();
    expect(shown()).toMatchObject([{ sendState: "not-sent", notSentReason: "This message was deleted", forwarded: 1 }]);
    chat.messages.retry(shown()[0]?.key ?? "");
    await settle();
    expect(sent().at(-1)).toMatchObject({ forward_of: { thread_id: WITH_BOB, seq: 1 } });
  });
});
