import { createClient } from "@messageoh/contracts/client";
import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import { addFriend, register } from "@messageoh/contracts/users";
import { io, type Socket } from "socket.io-client";
import { until } from "../ports.ts";
import { startOtlpReceiver } from "./otlpReceiver.ts";
import { startTestServices, type TestServices } from "./services.ts";

type ChatSocket = Socket<ServerToClientEvents, ClientToServerEvents>;
interface Account {
  id: string;
  cookie: string;
}

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let services: TestServices;
let ann: Account;
let bob: Account;
let thread_id: string;
const sockets: ChatSocket[] = [];

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  services = await startTestServices(2, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.5",
    BCRYPT_COST: "4",
  });
  [ann, bob] = [await registerAs("ann"), await registerAs("bob")];
  const call = createClient({ baseUrl: services.users[0] as string, headers: () => ({ cookie: ann.cookie }) });
  thread_id = (await call(addFriend, { body: { user_id: ann.id, friend_id: bob.id } })).thread_id;
}, 60_000);
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await services.stop();
  await receiver.close();
});

async function registerAs(name: string): Promise<Account> {
  const response = await fetch(services.users[0] + register.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: `${name} ${Date.now()}`, password: "a password", avatar_id: "fox-id" }),
  });
  const { id } = (await response.json()) as { id: string };
  return { id, cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

/** A tab of the product's own page: it waits to hear that traces are recorded. */
async function connect({ cookie }: Account, instance: number): Promise<ChatSocket> {
  const socket: ChatSocket = io(services.realtime[instance] as string, { extraHeaders: { cookie }, forceNew: true });
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.once("tracing_on", () => resolve()));
  return socket;
}
/** The sampler keeps low ones. */
const traceIdOf = (end: string) => end.padStart(32, "0");
const toBob = () => ({ thread_id, sending_user_id: ann.id, recipient_user_id: bob.id, text: "hello" });
const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);

it("follows one message from browser to browser, through both instances and svc-messages", async () => {
  const [annTab, bobTab] = [await connect(ann, 0), await connect(bob, 1)];
  const traceId = traceIdOf("abcd");
  bobTab.on("receive_message", ({ traceparent }) => {
    if (traceparent) bobTab.emit("trace_end", { traceparent });
  });
  await annTab.emitWithAck("send_message", { ...toBob(), traceparent: `00-${traceId}-00000000000000b1-00` });
  await until(() => spansOf(traceId).length >= 6, 10_000);

  const spans = spansOf(traceId);
  const chain: string[] = [];
  for (let next = spans.find(({ parentSpanId }) => !parentSpanId); next; ) {
    chain.push(`${next.service}: ${next.name}`);
    const { spanId } = next;
    next = spans.find(({ parentSpanId }) => parentSpanId === spanId);
  }
  expect(chain).toEqual([
    "browser: send message",
    "svc-realtime: forward message",
    "svc-messages: store message",
    "svc-messages: publish message",
    "svc-realtime: deliver message",
    "browser: receive message",
  ]);
  expect(spans).toHaveLength(6);
  expect(spans.find(({ parentSpanId }) => !parentSpanId)?.spanId).toBe("00000000000000b1");
});

it("says where a message was refused, and leaves out what the sampler leaves out, whatever the browser claims", async () => {
  const annTab = await connect(ann, 0);
  const [kept, leftOut] = [traceIdOf("1234"), traceIdOf("ffffffff")];
  await annTab.emitWithAck("send_message", { ...toBob(), traceparent: `00-${leftOut}-00000000000000b2-01` });
  const stranger = { ...toBob(), recipient_user_id: ann.id };
  await annTab.emitWithAck("send_message", { ...stranger, traceparent: `00-${kept}-00000000000000b3-01` });
  await until(() => spansOf(kept).length >= 3, 10_000);
  expect(
    spansOf(kept)
      .map(({ name, isFailed }) => [name, isFailed])
      .sort(),
  ).toEqual([
    ["forward message", true],
    ["send message", true],
    ["store message", false],
  ]);
  expect(spansOf(leftOut)).toEqual([]);
});
