import { BUSY } from "@messageoh/contracts/errorTexts";
import type { FailedAck } from "@messageoh/contracts/realtime";
import { TO_ANN, TO_BOB, useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually, pause } from "../../testing/waiting.ts";

const tier = useTwoInstances();

describe("send_message", () => {
  it("acknowledges with the stored message, sent by the user of the session", async () => {
    const ann = await tier.connect(tier.one, "ann");
    const client_id = "0c8f9a4e-6b1f-4c58-9d2b-0f1f5a3f7f10";
    const ack = await ann.emitWithAck("send_message", { ...TO_BOB, client_id });
    expect(ack).toMatchObject({ message: { client_id, seq: 1, text: "hello", sending_user_id: "ann" } });
  });

  it("passes the number of the message that a reply is for", async () => {
    const ann = await tier.connect(tier.one, "ann");
    expect(await ann.emitWithAck("send_message", { ...TO_BOB, reply_to: 0 })).toMatchObject({ is_retryable: false });
    const ack = await ann.emitWithAck("send_message", { ...TO_BOB, reply_to: 7 });
    expect(ack).toMatchObject({ message: { reply_to: 7 } });
  });

  it("passes the ids of attachments, at most ten", async () => {
    const ann = await tier.connect(tier.one, "ann");
    const ids = Array.from({ length: 11 }, (_, n) => `media-${n}`);
    const { error } = (await ann.emitWithAck("send_message", { ...TO_BOB, attachments: ids })) as FailedAck;
    expect(error).toBe("A message has at most 10 attachments");
    const ack = await ann.emitWithAck("send_message", { ...TO_BOB, attachments: ids.slice(0, 2) });
    expect(ack).toMatchObject({ message: { attachments: [{ id: "media-0" }, { id: "media-1" }] } });
  });

  it("passes the id of a link preview", async () => {
    const ann = await tier.connect(tier.one, "ann");
    const ack = await ann.emitWithAck("send_message", { ...TO_BOB, preview: "preview-1" });
    expect(ack).toMatchObject({ message: { preview: { id: "preview-1" } } });
  });

  it("says that a refusal of svc-messages is recorded, so that a retry by the user takes a new client_id", async () => {
    const ann = await tier.connect(tier.one, "ann");
    const ack = await ann.emitWithAck("send_message", { ...TO_BOB, thread_id: "unknown" });
    expect(ack).toEqual({ error: expect.any(String), is_retryable: false, is_recorded: true });
  });

  it("accepts messages without client_id and ack, and keeps their order", async () => {
    const ann = await tier.connect(tier.one, "ann");
    for (let count = 0; count < 300; count += 1) ann.emit("send_message", { ...TO_BOB, text: `${count}` });
    const stored = await eventually(
      () => tier.messages.stored,
      (rows) => rows.length === 300,
    );
    expect(stored.map((message) => message.text)).toEqual(Array.from({ length: 300 }, (_, index) => `${index}`));
    expect(new Set(stored.map((message) => message.client_id)).size).toBe(300);
  });

  it("holds messages while svc-messages is down, and stores them in order afterwards", async () => {
    const ann = await tier.connect(tier.one, "ann");
    tier.messages.isDown = true;
    const acks = ["a", "b", "c"].map((text) => ann.emitWithAck("send_message", { ...TO_BOB, text }));
    await pause(300);
    expect(tier.messages.stored).toEqual([]);
    tier.messages.isDown = false;
    expect((await Promise.all(acks)).map((ack) => ("message" in ack ? ack.message.text : ack))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it.each([
    ["the id of another user as sender", { ...TO_BOB, sending_user_id: "bob", recipient_user_id: "ann" }],
    ["an empty text", { ...TO_BOB, text: "  " }],
    ["a text that is too long", { ...TO_BOB, text: "x".repeat(4_001) }],
    ["a query operator as text", { ...TO_BOB, text: { $gt: "" } }],
    ["a query operator as thread id", { ...TO_BOB, thread_id: { $ne: 1 } }],
    ["a client_id that is not a UUID", { ...TO_BOB, client_id: "1" }],
    ["a string", "text"],
    ["null", null],
    ["no payload", undefined],
    ["an array", [TO_BOB]],
    ["a number", 7],
  ])("refuses %s with an error ack", async (_, payload) => {
    const ann = await tier.connect(tier.one, "ann");
    const ack = await ann.emitWithAck("send_message", payload as never);
    expect(ack).toMatchObject({ error: expect.any(String), is_retryable: false });
    expect(tier.messages.stored).toEqual([]);
  });

  it.each([
    ["..", ".."],
    [".", "."],
    ["a/b", "a/b"],
    ["%2e%2e", "%2e%2e"],
    ["a lone surrogate", "\ud800"],
    ["10,000 characters", "x".repeat(10_000)],
  ])("refuses the thread id %s as final, without a call to svc-messages", async (_, thread_id) => {
    const [ann, bob] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.one, "bob")]);
    tier.messages.calls.length = 0;
    const payload = { ...TO_BOB, thread_id };
    const acks = await Promise.all([
      ...Array.from({ length: 20 }, () => ann.emitWithAck("send_message", payload)),
      ann.emitWithAck("message_delivered", { thread_id, seq: 1 }),
      ann.emitWithAck("typing", { thread_id, is_typing: true }),
    ]);
    expect(new Set(acks.map((ack) => JSON.stringify(ack)))).toEqual(
      new Set([JSON.stringify({ error: "No such id", is_retryable: false })]),
    );
    expect(tier.messages.calls).toEqual([]);
    expect(await bob.timeout(5_000).emitWithAck("send_message", TO_ANN)).toMatchObject({ message: { seq: 1 } });
    expect(tier.messages.calls).toEqual(["send"]);
  });

  it("holds only the thread whose messages must be retried", async () => {
    const [ann, cyd] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.one, "cyd")]);
    tier.messages.retriedThreads.add("ann-bob");
    const held = ["a", "b"].map((text) => ann.emitWithAck("send_message", { ...TO_BOB, text }));
    await pause(100);
    const toBobFromCyd = { thread_id: "bob-cyd", sending_user_id: "cyd", recipient_user_id: "bob", text: "hi" };
    expect(await cyd.timeout(5_000).emitWithAck("send_message", toBobFromCyd)).toMatchObject({
      message: { text: "hi" },
    });
    tier.messages.retriedThreads.clear();
    expect(await Promise.all(held)).toMatchObject([{ message: { text: "a" } }, { message: { text: "b" } }]);
  });

  it("refuses a message as retryable while too many messages of its sender wait", async () => {
    const ann = await tier.connect(tier.one, "ann");
    tier.messages.isDown = true;
    for (let count = 0; count < 500; count += 1) ann.emit("send_message", { ...TO_BOB, text: `${count}` });
    const refused = await ann.emitWithAck("send_message", { ...TO_BOB, text: "too many" });
    expect(refused).toEqual({ error: BUSY, is_retryable: true });
    tier.messages.isDown = false;
    const stored = await eventually(
      () => tier.messages.stored,
      (rows) => rows.length === 500,
    );
    expect(stored.map((message) => message.text)).toEqual(Array.from({ length: 500 }, (_, index) => `${index}`));
  });

  it("survives malformed payloads of every event, with and without an ack", async () => {
    const ann = await tier.connect(tier.one, "ann");
    const shapes: unknown[] = [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { a: { b: {} } },
      Buffer.from("x"),
      { __proto__: null, constructor: 1 },
    ];
    for (const name of [
      "send_message",
      "join_room",
      "join_add_friend_room",
      "add_friend",
      "message_delivered",
      "typing",
      "unknown",
    ]) {
      for (const shape of shapes) {
        ann.emit(name as never, ...([shape] as never));
        ann.emit(name as never, ...([shape, shape, () => {}] as never));
        ann.emit(name as never, ...([] as never));
      }
    }
    expect(await ann.emitWithAck("send_message", TO_BOB)).toMatchObject({ message: { seq: 1 } });
  });
});

it("forwards a delivery receipt under the user of the session", async () => {
  const bob = await tier.connect(tier.one, "bob");
  await bob.emitWithAck("message_delivered", { thread_id: "ann-bob", seq: 4 });
  expect(tier.messages.markers).toMatchObject([{ kind: "delivered", thread_id: "ann-bob", user_id: "bob", seq: 4 }]);
});
