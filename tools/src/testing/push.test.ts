import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@messageoh/contracts/client";
import { listMessages, updateMessageRead } from "@messageoh/contracts/messages";
import { type PushPayload, subscribePush } from "@messageoh/contracts/push";
import { addFriend } from "@messageoh/contracts/users";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import { aPushBrowser, startPushService } from "@messageoh/service-kit/testing/pushService";
import { until } from "@messageoh/service-kit/testing/until";
import { connectTo, registerAs, type TestAccount } from "./accounts.ts";
import { startTestServices, type TestServices } from "./services.ts";

let pushService: Awaited<ReturnType<typeof startPushService>>;
let services: TestServices;
beforeAll(async () => {
  pushService = await startPushService();
  services = await startTestServices(2, {
    BCRYPT_COST: "4",
    PUSH_DELAY_MS: "100",
    PUSH_HOSTS_ALLOWED: pushService.host,
    NODE_EXTRA_CA_CERTS: pushService.caFile,
  });
}, 120_000);
afterAll(async () => {
  await services?.stop();
  await pushService.close();
});

const callAs = ({ cookie }: TestAccount, [baseUrl = ""] = services.users) =>
  createClient({ baseUrl, headers: () => ({ cookie }) });

it("notifies a user exactly while none of their pages is connected to any instance", async () => {
  const [ann, bob] = [await registerAs(services, "ann"), await registerAs(services, "bob")];
  const { thread_id } = await callAs(ann)(addFriend, { body: { user_id: ann.id, friend_id: bob.id } });
  const browser = aPushBrowser(`https://${pushService.host}/bob`);
  await callAs(bob)(subscribePush, { body: { ...browser.subscription, shows_text: true } });
  const annTab = await connectTo(services, 0, ann);
  const send = async (text: string) => {
    const message = { thread_id, sending_user_id: ann.id, recipient_user_id: bob.id, text };
    expect(await annTab.emitWithAck("send_message", message)).toHaveProperty("message");
  };
  const payloads = () => pushService.received.map(({ body }) => browser.decrypt(body) as PushPayload);
  const texts = () => payloads().map(({ text }) => text);

  await send("to nobody's page");
  await until(() => pushService.received.length === 1);
  expect(texts()).toEqual(["to nobody's page"]);

  // What the service worker requests before it closes the notification.
  const { user_id = "", thread_id: shown = "" } = payloads()[0] ?? {};
  const callMessages = callAs(bob, services.messages);
  const newest = () => callMessages(listMessages, { params: { user_id }, query: { thread_id: shown, limit: 1 } });
  expect(await newest()).toMatchObject([{ text: "to nobody's page", read: false }]);
  await callMessages(updateMessageRead, { body: { thread_id } });
  expect(await newest()).toMatchObject([{ text: "to nobody's page", read: true }]);

  // An instance knows up to a second late what is stored, and could repeat it to a page that connects earlier.
  await pause(1_500);
  const bobTab = await connectTo(services, 1, bob);
  const received = new Promise((resolve) => bobTab.once("receive_message", resolve));
  await send("to a page");
  expect(await received).toMatchObject({ text: "to a page" });
  bobTab.disconnect();
  // The server learns of the end of the connection a moment later.
  await until(async () => {
    await send("after the page");
    return pushService.received.length > 1;
  });
  expect(new Set(texts())).toEqual(new Set(["to nobody's page", "after the page"]));
  annTab.disconnect();
}, 60_000);

it("requests no notification for 1,000 messages to users whose page is connected", async () => {
  const READERS = 20;
  const MESSAGES_EACH = 50;
  const sender = await registerAs(services, "sender");
  const senderTab = await connectTo(services, 0, sender);
  /** Registers a friend of the sender who wants notifications. */
  async function aFriend(name: string) {
    const friend = await registerAs(services, name);
    const { thread_id } = await callAs(sender)(addFriend, { body: { user_id: sender.id, friend_id: friend.id } });
    const { subscription } = aPushBrowser(`https://${pushService.host}/${name}`);
    await callAs(friend)(subscribePush, { body: { ...subscription, shows_text: true } });
    const send = async (text: string) => {
      const message = { thread_id, sending_user_id: sender.id, recipient_user_id: friend.id, text };
      expect(await senderTab.emitWithAck("send_message", message)).toHaveProperty("message");
    };
    return { friend, send };
  }
  let received = 0;
  const readers = await Promise.all(
    Array.from({ length: READERS }, async (_, index) => {
      const { friend, send } = await aFriend(`reader-${index}`);
      const tab = await connectTo(services, index % services.realtime.length, friend);
      tab.on("receive_message", () => (received += 1));
      return { send, tab };
    }),
  );
  const absent = await aFriend("absent");
  pushService.received.length = 0;
  const requested = () => readMetric(services.messages[0] as string, "messageoh_messages_push_requests_total");
  const before = await requested();
  for (let number = 0; number < MESSAGES_EACH; number += 1) {
    await Promise.all(readers.map(({ send }) => send(`${number}`)));
  }
  await until(() => received === READERS * MESSAGES_EACH);
  // Requests leave in order, so those of earlier messages would arrive before this one.
  await absent.send("to nobody's page");
  await until(() => pushService.received.length > 0);
  expect(pushService.pathsReceived()).toEqual(["/absent"]);
  expect((await requested()) - before).toBe(1);
  for (const { tab } of readers) tab.disconnect();
  senderTab.disconnect();
}, 120_000);
