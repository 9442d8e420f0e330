import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@messageoh/contracts/client";
import { createLinkPreview } from "@messageoh/contracts/media";
import { addFriend } from "@messageoh/contracts/users";
import { closeServer, listen } from "@messageoh/service-kit/run";
import { until } from "@messageoh/service-kit/testing/until";
import { type ChatSocket, connectTo, registerAs, type TestAccount } from "./accounts.ts";
import { type ReceivedSpan, startOtlpReceiver } from "./otlpReceiver.ts";
import { startTestServices, type TestServices } from "./services.ts";

const TEXT = "a private text";
let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let services: TestServices;
let ann: TestAccount;
let bob: TestAccount;
let annTab: ChatSocket;
let bobTab: ChatSocket;
let thread_id: string;
let otherThread: { thread_id: string; recipient_user_id: string };

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  services = await startTestServices(2, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    BCRYPT_COST: "4",
    PREVIEW_HOSTS_ALLOWED: "127.0.0.1",
  });
  [ann, bob] = [await registerAs(services, "ann"), await registerAs(services, "bob")];
  const call = createClient({ baseUrl: services.users[0] as string, headers: () => ({ cookie: ann.cookie }) });
  thread_id = (await call(addFriend, { body: { user_id: ann.id, friend_id: bob.id } })).thread_id;
  const cyd = await registerAs(services, "cyd");
  const added = await call(addFriend, { body: { user_id: ann.id, friend_id: cyd.id } });
  otherThread = { thread_id: added.thread_id, recipient_user_id: cyd.id };
  [annTab, bobTab] = [await connectTo(services, 0, ann), await connectTo(services, 1, bob)];
}, 60_000);
afterAll(async () => {
  annTab?.disconnect();
  bobTab?.disconnect();
  await services.stop();
  await receiver.close();
});

const send = (text = TEXT, recipient_user_id = bob.id) =>
  annTab.emitWithAck("send_message", { thread_id, sending_user_id: ann.id, recipient_user_id, text });
const named = (name: string) => receiver.spans.filter((span) => span.name === name);
const parentOf = ({ parentSpanId }: ReceivedSpan) => receiver.spans.find(({ spanId }) => spanId === parentSpanId);
const linksTo = (to: ReceivedSpan, from: ReceivedSpan[]) =>
  from.filter(({ links }) => links.some(({ spanId }) => spanId === to.spanId));

/** Returns the service with the instrumented library, or with the name of a span of the product. */
const labelOf = ({ service, scope, name }: ReceivedSpan) => `${service} ${scope.split("instrumentation-")[1] ?? name}`;

/** Returns the unique pairs of parent and child spans in a trace. */
function spanPairsOf({ traceId }: ReceivedSpan): Set<string> {
  const spans = receiver.spans.filter((span) => span.traceId === traceId);
  return new Set(spans.map((span) => [parentOf(span) ?? [], span].flat().map(labelOf).join(" > ")));
}

it("traces a message from its event through the batch that stores it to its delivery", async () => {
  await send();
  await until(() => named("send_message").length === 1);
  const [event] = named("send_message") as [ReceivedSpan];
  const pairs = new Set([
    "svc-realtime send_message",
    "svc-realtime send_message > svc-messages store batch",
    "svc-messages store batch > svc-messages mongodb",
    "svc-messages store batch > svc-messages ioredis",
    "svc-realtime send_message > svc-realtime deliver message",
  ]);
  await until(() => spanPairsOf(event).size === pairs.size);
  expect(spanPairsOf(event)).toEqual(pairs);
});

it("links each batch to its messages, and each delivery to the batch", async () => {
  const before = named("send_message").length;
  await Promise.all(Array.from({ length: 10 }, () => send()));
  const events = () => named("send_message").slice(before);
  await until(() => named("deliver message").length === before + 10 && events().length === 10);
  expect(events()).toHaveLength(10);
  await until(() => events().every((event) => linksTo(event, named("store batch")).length === 1));
  for (const event of events()) {
    const [batch] = linksTo(event, named("store batch")) as [ReceivedSpan];
    const [delivery] = named("deliver message").filter((span) => parentOf(span) === event) as [ReceivedSpan];
    expect(linksTo(batch, [delivery])).toHaveLength(1);
    expect(delivery.attributes["messageoh.request_id"]).toBe(event.attributes["messageoh.request_id"]);
  }
});

it("links a batch to all its messages", async () => {
  const [sent, stored] = [named("send_message").length, named("store batch").length];
  const toCyd = { ...otherThread, sending_user_id: ann.id, text: TEXT };
  const events = () => named("send_message").slice(sent);
  const batches = () => named("store batch").slice(stored);
  const sizes = () => batches().map(({ attributes }) => Number(attributes["messageoh.batch_size"]));
  let count = 0;
  // Messages share a batch if they arrive while another batch is stored.
  await until(async () => {
    await Promise.all(Array.from({ length: 5 }, () => [send(), annTab.emitWithAck("send_message", toCyd)]).flat());
    count += 10;
    await until(() => events().length === count && sizes().reduce((sum, size) => sum + size, 0) === count);
    return sizes().some((size) => size > 1);
  });
  expect(batches().map(({ links }) => links.length)).toEqual(sizes());
  const linked = batches().flatMap(({ links }) => links.map(({ spanId }) => spanId));
  expect(new Set(linked)).toEqual(new Set(events().map(({ spanId }) => spanId)));
});

it("marks the span of a rejected message as failed", async () => {
  await send("to oneself", ann.id);
  await until(() => named("send_message").some(({ isFailed }) => isFailed));
  expect(named("send_message").filter(({ isFailed }) => isFailed)).toHaveLength(1);
});

it("names requests by route, omits probes and records no user content", async () => {
  await fetch(`${services.messages[0]}/messages/${ann.id}?search=private`, { headers: { cookie: ann.cookie } });
  await fetch(`${services.messages[0]}/readyz`);
  await until(() => named("GET /messages/:user_id").length === 1);
  expect(named("GET /messages/:user_id")).toHaveLength(1);
  expect(named("POST /users")).toHaveLength(3);
  expect(receiver.text()).not.toContain("readyz");
  expect(receiver.text()).not.toContain("private");
});

it("records no link of a message, and tells its site no trace", async () => {
  const requests: IncomingMessage[] = [];
  const site = createServer((request, response) => {
    requests.push(request);
    response.setHeader("content-type", "text/html").end("<title>A page</title>");
  });
  await listen(site, 0, "127.0.0.1");
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/page?key=private`;
  const call = createClient({ baseUrl: services.media[0] as string, headers: () => ({ cookie: ann.cookie }) });
  expect(await call(createLinkPreview, { body: { thread_id, url } })).toMatchObject({
    preview: { title: "A page" },
  });
  await closeServer(site);
  await until(() => named("POST /media/previews").length === 1);
  expect(receiver.text()).not.toContain("private");
  expect(requests.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
});
