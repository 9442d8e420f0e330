import { type MessageItem, type UserEvent, userChannel } from "@messageoh/contracts/bus";
import { cutRedis } from "@messageoh/service-kit/testing/redis";
import { payloadsOf, textsOf } from "../../testing/client.ts";
import type { Instance } from "../../testing/instance.ts";
import { TO_BOB, useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually, pause } from "../../testing/waiting.ts";

const tier = useTwoInstances();

describe("an event", () => {
  it("reaches every socket of its user on every instance once, and no other user", async () => {
    const [bob, bobOnTwo, eve] = await Promise.all([
      tier.connect(tier.one, "bob"),
      tier.connect(tier.two, "bob"),
      tier.connect(tier.one, "eve"),
    ]);
    await tier.publish("bob", tier.storeMessage("hi"));
    await eventually(
      () => [textsOf(bob), textsOf(bobOnTwo)],
      ([a, b]) => a?.length === 1 && b?.length === 1,
    );
    await pause(100);
    expect([textsOf(bob), textsOf(bobOnTwo), textsOf(eve)]).toEqual([["hi"], ["hi"], []]);
  });

  it("reaches the sender's other sockets, but not the sending one", async () => {
    const [ann, otherTab] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.one, "ann")]);
    await tier.publish("ann", tier.storeMessage("hi", ann.id));
    await eventually(
      () => textsOf(otherTab),
      (texts) => texts.length === 1,
    );
    expect(textsOf(ann)).toEqual([]);
  });

  it("is emitted once when it is published several times", async () => {
    const bob = await tier.connect(tier.one, "bob");
    const event = tier.storeMessage("hi");
    for (let count = 0; count < 3; count += 1) await tier.publish("bob", event);
    await tier.publish("bob", tier.storeMessage("next"));
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("next"),
    );
    expect(textsOf(bob)).toEqual(["hi", "next"]);
  });

  it("reaches a socket that connected while its message was being stored, because its client may not have fetched it", async () => {
    // The position stays below a message that is being stored.
    tier.stopBeats();
    const event = tier.storeMessage("slow");
    const unfinished = tier.messages.stored.splice(-1);
    const bob = await tier.connect(tier.one, "bob");
    tier.messages.stored.push(...unfinished);
    await pause(300);
    await tier.publish("bob", event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
  });

  it("is dropped if it cannot be parsed, and does not stop later events", async () => {
    const bob = await tier.connect(tier.one, "bob");
    await tier.two.redis.publisher.publish(userChannel("bob"), "{not json");
    await tier.two.redis.publisher.publish(userChannel("bob"), JSON.stringify({ type: "unknown" }));
    await tier.publish("bob", tier.storeMessage("still here"));
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
  });

  it("emits message_read for a read marker and message_delivered for a delivery receipt", async () => {
    const ann = await tier.connect(tier.one, "ann");
    const marker = { thread_id: "ann-bob", user_id: "bob", seq: 3 };
    await tier.publish("ann", { type: "marker", marker: { kind: "read", ...marker }, request_id: "r" });
    await tier.publish("ann", { type: "marker", marker: { kind: "delivered", ...marker }, request_id: "r" });
    await eventually(
      () => ann.received,
      (events) => events.length === 2,
    );
    expect(ann.received).toEqual([
      ["message_read", marker],
      ["message_delivered", marker],
    ]);
  });
});

describe("a changed message", () => {
  it("reaches all sockets of a user as message_changed, and never as receive_message", async () => {
    const [bob, otherTab] = [await tier.connect(tier.one, "bob"), await tier.connect(tier.two, "bob")];
    const { items } = tier.storeMessage("new text");
    const message = { ...(items[0] as MessageItem).message, change: 4, edit_count: 1, reactions: [] };
    await tier.publish("bob", { type: "message_changed", message, request_id: "r" });
    for (const tab of [bob, otherTab]) {
      await eventually(
        () => tab.received,
        (events) => events.length === 1,
      );
      expect(tab.received).toEqual([["message_changed", { message }]]);
    }
  });
});

describe("what a user does on one device", () => {
  it.each([
    ["message_hidden", { thread_id: "ann-bob", seq: 3, hidden: true }],
    ["message_starred", { thread_id: "ann-bob", seq: 3, starred: true }],
    ["draft_saved", { thread_id: "ann-bob", draft: { text: "hi", rev: 2 } }],
  ] as const)("is known to the user's own sockets only: %s", async (type, payload) => {
    const [bob, otherTab, ann] = await Promise.all([
      tier.connect(tier.one, "bob"),
      tier.connect(tier.two, "bob"),
      tier.connect(tier.one, "ann"),
    ]);
    await tier.publish("bob", { type, ...payload, request_id: "r" } as UserEvent);
    for (const tab of [bob, otherTab]) {
      await eventually(
        () => tab.received,
        (events) => events.length === 1,
      );
      expect(tab.received).toEqual([[type, payload]]);
    }
    await pause(100);
    expect(ann.received).toEqual([]);
  });
});

describe("the sender's other tabs", () => {
  it("on the same instance get a message from the result, without an event", async () => {
    const [ann, otherTab] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.one, "ann")]);
    expect(await ann.emitWithAck("send_message", TO_BOB)).toMatchObject({ message: { seq: 1 } });
    await eventually(
      () => textsOf(otherTab),
      (texts) => texts.length === 1,
    );
    expect(textsOf(ann)).toEqual([]);
  });

  it("on another instance get a message whose sending tab closes before the result", async () => {
    const [ann, otherTab] = await Promise.all([tier.connect(tier.one, "ann"), tier.connect(tier.two, "ann")]);
    tier.messages.retriedThreads.add("ann-bob");
    ann.emit("send_message", TO_BOB);
    await eventually(
      () => tier.messages.calls,
      (calls) => calls.length > 0,
    );
    ann.disconnect();
    await eventually(
      () => tier.one.realtime.io.sockets.sockets.size,
      (sockets) => sockets === 0,
    );
    tier.messages.retriedThreads.clear();
    await eventually(
      () => textsOf(otherTab),
      (texts) => texts.length === 1,
    );
  });
});

describe("a process of svc-messages", () => {
  it("that stores a message and ends before it publishes is read after three seconds of silence", async () => {
    const bob = await tier.connect(tier.one, "bob");
    const ann = await tier.connect(tier.two, "ann");
    await tier.publish("bob", tier.storeMessage("heard"));
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
    tier.storeMessage("lost");
    tier.stopBeats();
    tier.messages.process = "000002";
    tier.messages.sendBeat();
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("lost"),
    );
    expect(textsOf(bob)).toEqual(["heard", "lost"]);
    await eventually(
      () => textsOf(ann),
      (texts) => texts.includes("lost"),
    );
  });

  it("that ended is not read to a client that connected after the message was stored, on any instance", async () => {
    const bob = await tier.connect(tier.one, "bob");
    tier.storeMessage("last");
    tier.stopBeats();
    tier.messages.process = "000002";
    tier.messages.sendBeat();
    // The instances do not know of the message, and do not hear the process.
    await pause(2_000);
    const later = [await tier.connect(tier.one, "bob"), await tier.connect(tier.two, "bob")];
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("last"),
    );
    // The next read.
    await pause(2_500);
    expect(later.map(textsOf)).toEqual([[], []]);
  });

  it("that says that events are lost is read at once, and clients compare afterwards", async () => {
    const bob = await tier.connect(tier.one, "bob");
    const beat = tier.messages.beat;
    tier.storeMessage("lost");
    tier.stopBeats();
    await tier.two.publish([["beats", { ...tier.messages.beat, has_lost: true }]]);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("lost"),
    );
    expect(payloadsOf(bob, "resync")).toEqual([]);
    await tier.publishBeat();
    await eventually(
      () => payloadsOf(bob, "resync"),
      (events) => events.length === 1,
    );
    expect(beat.position < tier.messages.beat.position).toBe(true);
    expect(textsOf(bob)).toEqual(["lost"]);
  });
});

describe("a client that connects while it is unknown what is stored, and nothing can be read", () => {
  it("is refused, so that it gets nothing again as an event", async () => {
    const bob = await tier.connect(tier.one, "bob");
    tier.storeMessage("stored");
    tier.stopBeats();
    tier.messages.isDown = true;
    await pause(2_000);
    await expect(tier.connect(tier.one, "bob")).rejects.toThrow("transport close");
    const { _preConnectSockets: kept } = tier.one.realtime.io.of("/") as object as {
      _preConnectSockets: Map<string, object>;
    };
    expect(kept.size).toBe(0);
    tier.messages.isDown = false;
    const later = await tier.connect(tier.one, "bob");
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
    expect(textsOf(later)).toEqual([]);
  });
});

describe("a client that connects during a slow insert whose event is lost", () => {
  it("gets the message", async () => {
    // The fake stores at once; a beat with an earlier position says that the insert was not complete.
    const before = tier.messages.beat;
    tier.stopBeats();
    const { items } = tier.storeMessage("slow");
    const unfinished = tier.messages.stored.splice(-1);
    await tier.two.publish([["beats", before]]);
    await pause(50);
    const bob = await tier.connect(tier.one, "bob");
    tier.messages.stored.push(...unfinished);
    await tier.publish("bob", { type: "messages", items: items.map((item) => ({ ...item, is_repeat: true })) });
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
  });
});

describe("a client that connects while the position of a process does not rise", () => {
  it("does not get again what its user had sent before", async () => {
    tier.stopBeats();
    await tier.publishBeat();
    tier.storeMessage("sent before", "elsewhere");
    await pause(2_000);
    const ann = await tier.connect(tier.one, "ann");
    await tier.publish("ann", tier.storeMessage("sent later", "elsewhere"));
    await eventually(
      () => textsOf(ann),
      (texts) => texts.includes("sent later"),
    );
    expect(textsOf(ann)).toEqual(["sent later"]);
  });
});

describe("an interruption of Redis", () => {
  /** Destroys the connection without a closing handshake, as a broken network does. */
  const cut = (instance: Instance) => cutRedis(instance.redis.subscriber);

  it("is backfilled from the database afterwards, without duplicates", async () => {
    const bob = await tier.connect(tier.one, "bob");
    const event = tier.storeMessage("heard");
    await tier.publish("bob", event);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.length === 1,
    );
    tier.storeMessage("lost");
    await cut(tier.one);
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("lost"),
    );
    await eventually(
      () => payloadsOf(bob, "resync"),
      (events) => events.length > 0,
    );
    await tier.publish("bob", tier.storeMessage("live again"));
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("live again"),
    );
    expect(textsOf(bob)).toEqual(["heard", "lost", "live again"]);
  });

  it("is announced to clients when it begins and when it ends", async () => {
    const bob = await tier.connect(tier.one, "bob");
    await cut(tier.one);
    await eventually(
      () => payloadsOf(bob, "service_state"),
      (events) => events.length === 2,
    );
    expect(payloadsOf(bob, "service_state")).toEqual([
      { is_degraded: true, poll_ms: 5_000 },
      { is_degraded: false, poll_ms: 5_000 },
    ]);
  });
});

describe.each([-3_000, 3_000, -3_600_000])("if the clock of svc-messages is %d ms ahead", (ahead) => {
  const skewed = useTwoInstances(ahead);

  it("a socket that has just connected gets an event, and a message that is backfilled", async () => {
    const bob = await skewed.connect(skewed.one, "bob");
    await skewed.publish("bob", skewed.storeMessage("event"));
    await eventually(
      () => textsOf(bob),
      (texts) => texts.includes("event"),
    );
    await skewed.publishBeat();
    await pause(50);
    const bobOnTwo = await skewed.connect(skewed.two, "bob");
    skewed.storeMessage("lost");
    for (const instance of [skewed.one, skewed.two]) await cutRedis(instance.redis.subscriber);
    for (const client of [bob, bobOnTwo]) {
      await eventually(
        () => textsOf(client),
        (texts) => texts.includes("lost"),
      );
    }
    expect([textsOf(bob), textsOf(bobOnTwo)]).toEqual([["event", "lost"], ["lost"]]);
  });
});
