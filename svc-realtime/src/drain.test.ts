import { once } from "node:events";
import { sleep } from "@messageoh/service-kit/pauses";
import { WebSocket } from "ws";
import { payloadsOf } from "../testing/client.ts";
import { TO_BOB, useTwoInstances } from "../testing/twoInstances.ts";
import { eventually, pause } from "../testing/waiting.ts";

const tier = useTwoInstances();

it("tells clients to move, and stores the messages they sent before it ends", async () => {
  const ann = await tier.connect(tier.one, "ann");
  tier.messages.isDown = true;
  const ack = ann.emitWithAck("send_message", TO_BOB);
  await pause(50);
  const drained = tier.one.realtime.drain(10_000);
  await eventually(
    () => payloadsOf(ann, "server_draining"),
    (events) => events.length === 1,
  );
  expect(tier.one.realtime.isDraining()).toBe(true);
  tier.messages.isDown = false;
  expect(await ack).toMatchObject({ message: { text: "hello" } });
  tier.messages.isDown = true;
  ann.emit("send_message", { ...TO_BOB, text: "last" });
  await pause(50);
  ann.disconnect();
  // No socket is left, and the message still waits.
  await pause(200);
  tier.messages.isDown = false;
  await drained;
  expect(tier.messages.stored.map(({ text }) => text)).toEqual(["hello", "last"]);
});

it("ends although a client does not respond to the close of its connection", async () => {
  const headers = { cookie: "messageoh_session=TOKEN-ann" };
  const client = new WebSocket(`${tier.one.url}/socket.io/?EIO=4&transport=websocket`, { headers });
  await once(client, "open");
  client.pause();
  try {
    expect(await Promise.race([tier.one.realtime.drain(0), sleep(5_000).then(() => "waits")])).toBeUndefined();
  } finally {
    client.terminate();
  }
});
