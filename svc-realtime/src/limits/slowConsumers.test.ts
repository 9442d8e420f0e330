import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { type MessagesEvent, userChannel } from "@messageoh/contracts/bus";
import { connectClient, textsOf } from "../../testing/client.ts";
import { createFakeServices, type Instance, startInstance } from "../../testing/instance.ts";
import { aMessage } from "../../testing/messages.ts";
import { eventually } from "../../testing/waiting.ts";

const THREAD = { thread_id: "t1", user_ids: ["ann", "bob"] as [string, string], created_at: new Date().toISOString() };
let instance: Instance;

beforeAll(async () => {
  instance = await startInstance("slow", createFakeServices([THREAD]));
});
afterAll(() => instance.close());

/** Sends one request of a polling client. Resolves to the body. */
function poll(sid: string, method: "GET" | "POST", body = ""): Promise<string> {
  const url = `${instance.url}/socket.io/?EIO=4&transport=polling${sid && `&sid=${sid}`}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { cookie: "messageoh_session=TOKEN-bob" } }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Connects a polling client that does not poll after the connect packet. */
async function connectWithoutReading(): Promise<void> {
  const { sid } = JSON.parse((await poll("", "GET")).slice(1)) as { sid: string };
  await poll(sid, "POST", "40");
  await poll(sid, "GET");
}

/** Publishes `count` messages with the numbers from `first`. */
async function publish(first: number, count: number, characters: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => {
    const id = Date.now().toString(16).padStart(12, "0") + randomUUID().replaceAll("-", "").slice(0, 12);
    const message = aMessage({ id, thread_id: "t1", seq: first + index, text: "x".repeat(characters) });
    return { message, is_repeat: false, origin: "", request_id: "r" };
  });
  const event: MessagesEvent = { type: "messages", items };
  await instance.publish([[userChannel("bob"), event]]);
}

it("disconnects a client that does not read, and keeps one that does", async () => {
  await connectWithoutReading();
  const reader = await connectClient(instance.url, "TOKEN-bob-2");
  const sockets = () => instance.realtime.io.sockets.sockets.size;
  await eventually(sockets, (count) => count === 2);
  // The reader never has more than a quarter of the messages to read, however busy the machine is.
  for (const first of [1, 51, 101, 151]) {
    await publish(first, 50, 4_000);
    await eventually(
      () => textsOf(reader).length,
      (count) => count === first + 49,
    );
  }
  // One check covers both sockets.
  await eventually(sockets, (count) => count === 1);
  // Closing the connection frees its buffers.
  await eventually(
    () => instance.realtime.io.engine.clientsCount,
    (count) => count === 1,
  );
  expect(reader.connected).toBe(true);
  reader.close();
});
