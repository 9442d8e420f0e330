import type { MessagesEvent } from "@messageoh/contracts/bus";
import { listBetween } from "@messageoh/contracts/messages";
import { textsOf } from "../../testing/client.ts";
import { TO_ANN, TO_BOB, useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually, pause } from "../../testing/waiting.ts";

const tier = useTwoInstances();

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

// Any socket of the sender may have sent the message and have its ack. Only the event names the sending socket.
it("holds messages for the sender's other sockets until a late event arrives", async () => {
  const ann = await tier.connect(tier.one, "ann");
  const [first, late, third] = ["1", "late", "3"].map((text) => tier.storeMessage(text, "elsewhere"));
  await tier.publish("ann", first as MessagesEvent);
  await tier.publish("ann", third as MessagesEvent);
  await pause(100);
  await tier.publish("ann", late as MessagesEvent);
  await eventually(
    () => textsOf(ann),
    (texts) => texts.includes("3"),
  );
  expect(textsOf(ann)).toEqual(["1", "late", "3"]);
});

it("releases a held message only to sockets that were connected when its event arrived", async () => {
  const ann = await tier.connect(tier.one, "ann");
  const [first, late, held] = ["1", "late", "held"].map((text) => tier.storeMessage(text, "elsewhere"));
  await tier.publish("ann", first as MessagesEvent);
  await tier.publish("ann", held as MessagesEvent);
  // It fetches what was stored before.
  const connectedMeanwhile = await tier.connect(tier.one, "ann");
  await tier.publish("ann", late as MessagesEvent);
  await tier.publish("ann", tier.storeMessage("next", "elsewhere"));
  await eventually(
    () => [ann, connectedMeanwhile].map(textsOf),
    (both) => both.every((texts) => texts.includes("next")),
  );
  expect(textsOf(ann)).toEqual(["1", "late", "held", "next"]);
  expect(textsOf(connectedMeanwhile)).not.toContain("held");
});

describe("the first message of a thread for a user", () => {
  /**
   * Stores a message at a time relative to now and another one now, and publishes the event of the later one first. Returns
   * what a socket receives that connected before.
   */
  async function receiveReversed(ageMs: number, isRepeat = false): Promise<string[]> {
    const bob = await tier.connect(tier.one, "bob");
    tier.messages.now = () => Date.now() - ageMs;
    const earlier = tier.storeMessage("earlier", "", Date.now());
    tier.messages.now = Date.now;
    const later = tier.storeMessage("later");
    const repeat = { is_repeat: true, previous_id: undefined };
    if (isRepeat) later.items = later.items.map((item) => ({ ...item, ...repeat }));
    for (const event of [later, earlier, tier.storeMessage("last")]) {
      await tier.publish("bob", event);
    }
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("last"),
    );
    return textsOf(bob);
  }
  const lookUps = () => tier.messages.calls.filter((path) => path === listBetween.path);

  it("waits for the one before it that was stored after the user's socket connected", async () => {
    expect(await receiveReversed(-1_000)).toEqual(["earlier", "later", "last"]);
  });

  it("waits for the one before it if it is a repeat, which does not name that one", async () => {
    expect(await receiveReversed(-1_000, true)).toEqual(["earlier", "later", "last"]);
  });

  it("is released without a look-up if the one before it was stored before the user's socket connected", async () => {
    expect((await receiveReversed(60_000))[0]).toBe("later");
    expect(lookUps()).toEqual([]);
  });
});

it("skips a message of the sender whose event is lost, and releases the later ones", async () => {
  const ann = await tier.connect(tier.one, "ann");
  const [first, , third] = ["1", "lost", "3"].map((text) => tier.storeMessage(text, "elsewhere"));
  for (const event of [first, third] as MessagesEvent[]) await tier.publish("ann", event);
  await eventually(
    () => textsOf(ann),
    (texts) => texts.includes("3"),
  );
  expect(textsOf(ann)).toEqual(["1", "3"]);
});

it("keeps the order for both users while svc-messages instances change and publish with different delays", async () => {
  const [ann, bob] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.two, "bob")]);
  const otherTabs = await Promise.all([tier.connect(tier.two, "ann"), tier.connect(tier.one, "bob")]);
  tier.messages.onStored = (message, origin) => {
    const item = { message, is_repeat: false, origin, request_id: "r" };
    const event: MessagesEvent = { type: "messages", published_at: Date.now(), items: [item] };
    const delayMs = [40, 0, 25, 5, 15][message.seq % 5];
    setTimeout(() => ["ann", "bob"].map((userId) => tier.publish(userId, event)), delayMs);
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
