import { randomUUID } from "node:crypto";
import type { MessagesEvent } from "@messageoh/contracts/bus";
import { listBetween } from "@messageoh/contracts/internal/messages";
import type { Message } from "@messageoh/contracts/messages";
import { textsOf } from "../../testing/client.ts";
import { TO_ANN, TO_BOB, useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually, pause } from "../../testing/waiting.ts";

const tier = useTwoInstances();
/** Returns the event item of the message that was stored at a position. */
const aStoredItem = (index: number) => {
  const message = tier.messages.stored[index] as Message;
  return { message, is_repeat: false, origin: "", request_id: "r", previous_id: tier.messages.stored[index - 1]?.id };
};

it("releases messages in order when their events arrive out of order", async () => {
  const [bob, bobOnTwo, ann] = await Promise.all([
    tier.connect(tier.one, "bob"),
    tier.connect(tier.two, "bob"),
    tier.connect(tier.two, "ann"),
  ]);
  const [first, second, third, fourth] = ["1", "2", "3", "4"].map((text) => tier.storeMessage(text, "elsewhere"));
  for (const event of [first, third, second, fourth] as MessagesEvent[]) {
    for (const userId of ["ann", "bob"]) await tier.publish(userId, event);
  }
  for (const client of [bob, bobOnTwo, ann]) {
    await eventually(
      () => textsOf(client),
      (texts) => texts.length === 4,
    );
    expect(textsOf(client)).toEqual(["1", "2", "3", "4"]);
  }
});

it("fetches a message whose event is lost, and releases it in order", async () => {
  const bob = await tier.connect(tier.two, "bob");
  const [first, lost, third] = ["1", "lost", "3"].map((text) => tier.storeMessage(text));
  await tier.publish("bob", first as MessagesEvent);
  await tier.publish("bob", third as MessagesEvent);
  await eventually(
    () => textsOf(bob),
    (texts) => texts.includes("3"),
  );
  await tier.publish("bob", lost as MessagesEvent);
  await tier.publish("bob", tier.storeMessage("4"));
  await eventually(
    () => textsOf(bob),
    (texts) => texts.includes("4"),
  );
  expect(textsOf(bob)).toEqual(["1", "lost", "3", "4"]);
});

it("fetches a message that the user sent through another instance, and releases it in order", async () => {
  const ann = await tier.connect(tier.one, "ann");
  const [first, , third] = ["1", "lost", "3"].map((text) => tier.storeMessage(text, "elsewhere"));
  for (const event of [first, third] as MessagesEvent[]) await tier.publish("ann", event);
  await eventually(
    () => textsOf(ann),
    (texts) => texts.includes("3"),
  );
  expect(textsOf(ann)).toEqual(["1", "lost", "3"]);
});

it("fetches a message whose result its sender waits for, and does not emit it to the sending socket", async () => {
  const [ann, otherTab] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.one, "ann")]);
  await tier.publish("ann", tier.storeMessage("1", "elsewhere"));
  tier.messages.retriedThreads.add("ann-bob");
  // A stored message has its text as its client id here.
  const client_id = randomUUID();
  ann.emit("send_message", { ...TO_BOB, client_id });
  await eventually(
    () => tier.messages.calls,
    (calls) => calls.includes("send"),
  );
  tier.storeMessage(client_id);
  await tier.publish("ann", tier.storeMessage("3", "elsewhere"));
  for (const client of [ann, otherTab]) {
    await eventually(
      () => textsOf(client),
      (texts) => texts.includes("3"),
    );
  }
  expect([textsOf(ann), textsOf(otherTab)]).toEqual([
    ["1", "3"],
    ["1", client_id, "3"],
  ]);
});

it("does not emit a repeat of a message that was stored an hour before", async () => {
  const [bob, ann] = await Promise.all([tier.connect(tier.one, "bob"), tier.connect(tier.one, "ann")]);
  const now = Date.now();
  const client_id = "0c8f9a4e-6b1f-4c58-9d2b-0f1f5a3f7f10";
  const events = ["1", "2", "3"].map((text, index) => {
    tier.messages.now = () => now + index * 1_800_000;
    return tier.storeMessage(text);
  });
  for (const event of events) await tier.publish("bob", event);
  const [{ items } = { items: [] }] = events;
  const repeat = items.map((item) => ({ ...item, is_repeat: true, previous_id: undefined }));
  await tier.publish("bob", { type: "messages", items: repeat });
  await ann.emitWithAck("send_message", { ...TO_BOB, client_id, text: "4" });
  await tier.publish("bob", { type: "messages", items: [aStoredItem(3)] });
  await eventually(
    () => textsOf(bob),
    (texts) => texts.includes("4"),
  );
  expect(textsOf(bob)).toEqual(["1", "2", "3", "4"]);
});

it("emits no old message to a socket that connected later, whichever process repeats it", async () => {
  const { items } = tier.storeMessage("old");
  await tier.publishBeat();
  await pause(50);
  tier.messages.process = "000002";
  await tier.publishBeat();
  await pause(50);
  const bob = await tier.connect(tier.one, "bob");
  await tier.publish("bob", { type: "messages", items: items.map((item) => ({ ...item, is_repeat: true })) });
  await tier.publish("bob", tier.storeMessage("new"));
  await eventually(
    () => textsOf(bob),
    (texts) => texts.includes("new"),
  );
  expect(textsOf(bob)).toEqual(["new"]);
});

describe("the first message of a thread for a user", () => {
  /** Publishes the later one of two messages first. Returns what a socket of bob receives. */
  async function receiveReversed(isStoredBefore: boolean, isRepeat = false): Promise<string[]> {
    const store = async () => {
      const event = tier.storeMessage("earlier");
      await tier.publishBeat();
      await pause(50);
      return event;
    };
    const before = isStoredBefore ? await store() : undefined;
    const bob = await tier.connect(tier.one, "bob");
    const earlier = before ?? (await store());
    const later = tier.storeMessage("later");
    const repeat = { is_repeat: true, previous_id: undefined };
    if (isRepeat) later.items = later.items.map((item) => ({ ...item, ...repeat }));
    for (const event of [later, earlier, tier.storeMessage("last")]) await tier.publish("bob", event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("last"),
    );
    return textsOf(bob);
  }
  const lookUps = () => tier.messages.calls.filter((path) => path === listBetween.path);

  it("waits for the one before it that was stored after the user's socket connected", async () => {
    expect(await receiveReversed(false)).toEqual(["earlier", "later", "last"]);
  });

  it("waits for the one before it if it is a repeat, which does not name the one before", async () => {
    expect(await receiveReversed(false, true)).toEqual(["earlier", "later", "last"]);
  });

  it("is released without a lookup if the one before it was stored before the user's socket connected", async () => {
    expect(await receiveReversed(true)).toEqual(["later", "last"]);
    expect(lookUps()).toEqual([]);
  });
});

it("keeps the order for both users while svc-messages instances change and publish with different delays", async () => {
  const [ann, bob] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.two, "bob")]);
  const otherTabs = await Promise.all([tier.connect(tier.two, "ann"), tier.connect(tier.one, "bob")]);
  tier.messages.onStored = (message, { origin, instance }) => {
    const item = { message, is_repeat: false, origin, request_id: "r" };
    const event: MessagesEvent = { type: "messages", items: [item] };
    const delayMs = [40, 0, 25, 5, 15][message.seq % 5];
    const userIds = ["ann", "bob"];
    setTimeout(() => {
      for (const userId of userIds) void tier.publish(userId, event);
    }, delayMs);
    expect(instance).toMatch(/^(one|two)$/);
  };
  const acks: Promise<unknown>[] = [];
  for (let round = 0; round < 100; round += 1) {
    tier.messages.urls = round % 40 < 20 ? ["http://messages-1", "http://messages-2"] : ["http://messages-3"];
    tier.messages.isDown = round % 25 === 24;
    acks.push(ann.emitWithAck("send_message", { ...TO_BOB, text: `ann ${round}` }));
    acks.push(bob.emitWithAck("send_message", { ...TO_ANN, text: `bob ${round}` }));
    await pause(10);
  }
  tier.messages.isDown = false;
  expect(await Promise.all(acks)).not.toContainEqual(expect.objectContaining({ error: expect.anything() }));
  const all = tier.messages.stored.map(({ text }) => text);
  const expected = [
    all.filter((text) => text.startsWith("bob")),
    all.filter((text) => text.startsWith("ann")),
    all,
    all,
  ];
  for (const [index, client] of [ann, bob, ...otherTabs].entries()) {
    await eventually(
      () => textsOf(client).length,
      (count) => count === expected[index]?.length,
    );
    expect(textsOf(client)).toEqual(expected[index]);
  }
});
