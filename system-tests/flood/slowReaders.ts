import { readMetric } from "@messageoh/service-kit/testing/metrics";
import type { Stack } from "@messageoh/stack/stack";
import { Account, pause } from "../client/account.ts";
import { EngineClient } from "../client/engineClient.ts";
import { readMemory } from "../fuzz/memory.ts";

const INSTANCE = "svc-realtime-1";
const SOCKETS = 50;
const PER_SECOND = 50;
const SECONDS = 40;
/** 16 kB: four bytes each. */
const TEXT = "😀".repeat(4_000);
const LOOK_EVERY_MS = 4_000;
const GROWTH_MAX_MB = 50;

/**
 * Sends messages to a user of whose sockets none reads: half of them poll, which post and never fetch, half are
 * WebSockets. Answers what must not have happened.
 */
export async function floodSlowReaders(stack: Stack): Promise<string[]> {
  const { port } = stack.processes().find(({ name }) => name === INSTANCE) as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const [sender, deaf] = await Promise.all([
    Account.register(stack.url, "Sender"),
    Account.register(stack.url, "Deaf"),
  ]);
  const thread_id = await sender.befriend(deaf);
  const usedMb = async () => (await readMemory(stack)).find(({ name }) => name === INSTANCE)?.usedMb ?? Number.NaN;
  const countSockets = () => readMetric(url, "messageoh_realtime_sockets");
  const socket = sender.connect();
  while (!socket.connected) await pause(50);
  const [before, others] = [await usedMb(), await countSockets()];
  const sockets = await Promise.all(Array.from({ length: SOCKETS / 2 }, () => EngineClient.signIn(url, deaf.cookie)));
  for (const each of sockets) each.stopReading();
  const polling = await Promise.all(Array.from({ length: SOCKETS / 2 }, () => startPolling(url, deaf.cookie)));

  const route = { thread_id, sending_user_id: sender.id, recipient_user_id: deaf.id };
  let stored = 0;
  let open = SOCKETS;
  let most = before;
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const looking = (async () => {
    while (open > 0 && elapsed() < SECONDS * 1_000) {
      await pause(LOOK_EVERY_MS);
      await Promise.all(polling.map((post) => post("3").catch(() => {})));
      most = Math.max(most, await usedMb());
      open = (await countSockets()) - others;
    }
  })();
  for (let sent = 0; open > 0 && elapsed() < SECONDS * 1_000; await pause(20)) {
    for (; sent < (elapsed() / 1_000) * PER_SECOND; sent += 1) {
      socket.emit("send_message", { ...route, text: TEXT }, (answer) => {
        if ("message" in answer) stored += 1;
      });
    }
  }
  const seconds = elapsed() / 1_000;
  await looking;
  socket.disconnect();
  for (const each of sockets) each.close();
  const growth = Math.max(most, await usedMb()) - before;
  process.stdout.write(
    `${SOCKETS} sockets that do not read, ${stored} messages of 16 kB to each in ${seconds.toFixed(0)} s: ${open} still connected, ` +
      `${INSTANCE} holds ${growth.toFixed(1)} MB more than ${before.toFixed(1)} MB at most\n`,
  );
  return [
    open === 0 ? "" : `${open} sockets that do not read were not disconnected`,
    growth < GROWTH_MAX_MB ? "" : `slow readers: ${INSTANCE} held ${growth.toFixed(1)} MB more`,
    stored >= seconds * PER_SECOND * 0.5 ? "" : `slow readers: only ${stored} messages were stored`,
  ].filter(Boolean);
}

/** Signs in by polling, and answers how to post more. Nothing is fetched. */
async function startPolling(url: string, cookie: string): Promise<(body: string) => Promise<string>> {
  const ask = async (method: string, sid: string, body?: string) => {
    const address = `${url}/socket.io/?EIO=4&transport=polling${sid}`;
    return (await fetch(address, { method, headers: { cookie }, ...(body && { body }) })).text();
  };
  const { sid } = JSON.parse((await ask("GET", "")).slice(1)) as { sid: string };
  const post = (body: string) => ask("POST", `&sid=${sid}`, body);
  await post("40");
  return post;
}
