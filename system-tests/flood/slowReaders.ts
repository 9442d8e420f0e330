import { strict as assert } from "node:assert";
import { readMetric } from "@messageoh/service-kit/testing/metrics";
import type { Stack } from "@messageoh/stack/stack";
import { Account, pause } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import { readMemory } from "../fuzz/memory.ts";

const INSTANCE = "svc-realtime-1";
const SOCKETS = 50;
/** Users who send in turn. The instance reads more slowly from one who sends so much text. */
const SENDERS = 15;
const PER_SECOND = 50;
const SECONDS = 40;
/** 16 kB: four bytes each. */
const TEXT = "😀".repeat(4_000);
const CHECK_INTERVAL_MS = 4_000;
const GROWTH_MAX_MB = 50;

/**
 * Sends messages to a user whose sockets do not read: half of them use polling and only send POST requests, half are
 * WebSockets. Returns the violated bounds.
 */
export async function floodSlowReaders(stack: Stack): Promise<string[]> {
  const { port } = stack.processes().find(({ name }) => name === INSTANCE) as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const recipient = await Account.register(stack.url, "Bob");
  const senders = await Promise.all(Array.from({ length: SENDERS }, () => startSending(stack.url, recipient)));
  const usedMb = async () => (await readMemory(stack)).find(({ name }) => name === INSTANCE)?.usedMb ?? Number.NaN;
  const countSockets = () => readMetric(url, "messageoh_realtime_sockets");
  const [before, others] = [await usedMb(), await countSockets()];
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS / 2 }, () => EngineClient.signIn(url, recipient.cookie)),
  );
  for (const each of sockets) each.stopReading();
  const polling = await Promise.all(Array.from({ length: SOCKETS / 2 }, () => startPolling(url, recipient.cookie)));
  assert.equal((await countSockets()) - others, SOCKETS);

  let stored = 0;
  let open = SOCKETS;
  let peak = before;
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const checking = (async () => {
    while (open > 0 && elapsed() < SECONDS * 1_000) {
      await pause(CHECK_INTERVAL_MS);
      await Promise.all(polling.map((post) => post("3").catch(() => {})));
      peak = Math.max(peak, await usedMb());
      open = (await countSockets()) - others;
    }
  })();
  for (let sent = 0; open > 0 && elapsed() < SECONDS * 1_000; await pause(20)) {
    for (; sent < (elapsed() / 1_000) * PER_SECOND; sent += 1) {
      senders[sent % SENDERS]?.send(() => {
        stored += 1;
      });
    }
  }
  const seconds = elapsed() / 1_000;
  await checking;
  for (const { close } of senders) close();
  for (const each of sockets) each.close();
  const growth = Math.max(peak, await usedMb()) - before;
  process.stdout.write(
    `${SOCKETS} sockets that do not read, ${stored} messages of 16 kB to each in ${seconds.toFixed(0)} s: ${open} still connected, ` +
      `${INSTANCE} used up to ${growth.toFixed(1)} MB more than ${before.toFixed(1)} MB\n`,
  );
  return [
    open === 0 ? "" : `${open} sockets that do not read were not disconnected`,
    growth < GROWTH_MAX_MB ? "" : `slow readers: ${INSTANCE} used ${growth.toFixed(1)} MB more`,
    stored >= seconds * PER_SECOND * 0.5 ? "" : `slow readers: only ${stored} messages were stored`,
  ].filter(Boolean);
}

/** Connects a new friend of a user and returns a function that sends a message to the user. */
async function startSending(url: string, recipient: Account) {
  const sender = await Account.register(url, "Ann");
  const thread_id = await sender.befriend(recipient);
  const message = { thread_id, sending_user_id: sender.id, recipient_user_id: recipient.id, text: TEXT };
  const socket = sender.connect();
  while (!socket.connected) await pause(50);
  return {
    send: (onStored: () => void) =>
      socket.emit("send_message", message, (ack) => {
        if ("message" in ack) onStored();
      }),
    close: () => socket.disconnect(),
  };
}

/** Connects by polling and returns a function that sends POST requests. */
async function startPolling(url: string, cookie: string): Promise<(body: string) => Promise<string>> {
  const send = async (method: string, sid: string, body?: string) => {
    const address = `${url}/socket.io/?EIO=4&transport=polling${sid}`;
    return (await fetch(address, { method, headers: { cookie }, ...(body && { body }) })).text();
  };
  const { sid } = JSON.parse((await send("GET", "")).slice(1)) as { sid: string };
  const post = (body: string) => send("POST", `&sid=${sid}`, body);
  await post("40");
  return post;
}
