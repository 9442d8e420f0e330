import { strict as assert } from "node:assert";
import { logProgress } from "@messageoh/stack/command/progress";
import { until } from "@messageoh/stack/ports";
import { Account } from "../../../../system-tests/client/account.ts";
import type { Check } from "../../testing/checks.ts";
import type { ComposeStack } from "../compose.ts";
import { USERS, whileChatting } from "./chatting.ts";

const SOCKETS = 250;
const IMBALANCE_MAX = 0.2;

/** Scales svc-realtime from 2 to 5 to 1 instances while users chat. */
export async function checkScaling(stack: ComposeStack, check: Check): Promise<void> {
  const scaleTo = async (count: number): Promise<void> => {
    logProgress(`docker compose up -d --scale svc-realtime=${count}`);
    await stack.compose(["up", "-d", "--no-build", "--wait", "--scale", `svc-realtime=${count}`]);
    assert.equal((await stack.containers("svc-realtime")).length, count);
  };
  await whileChatting(stack.url, check, async ({ people }) => {
    await check("svc-realtime scales from 2 to 5 instances without a restart of the gateway", async () => {
      const [before] = await stack.containers("gateway");
      await scaleTo(5);
      assert.deepEqual(await stack.containers("gateway"), [before]);
    });
    await checkSpread(stack, check);
    await check("svc-realtime scales down to 1 instance", async () => {
      await scaleTo(1);
      const [remaining] = await stack.containers("svc-realtime");
      const sockets = () => people.flatMap(({ tabs, phone }) => [...tabs.map((tab) => tab.socket), phone.socket]);
      const isMoved = () => sockets().every((socket) => socket?.connected && instanceOf(socket) === remaining?.id);
      assert(await until(isMoved, 60_000), "all sockets are on the remaining instance");
    });
  });
}

async function checkSpread(stack: ComposeStack, check: Check): Promise<void> {
  const instances = (await stack.containers("svc-realtime")).map(({ id }) => id);
  const accounts = await Promise.all(Array.from({ length: USERS }, () => Account.register(stack.url, "Ann")));
  const sockets = Array.from({ length: SOCKETS }, (_, index) => accounts[index % accounts.length]?.connect());
  const live = sockets.filter((socket) => socket !== undefined);
  const began = live.map((socket) => socket.io.engine?.transport.name);
  await until(() => live.every((socket) => socket.connected), 30_000);
  await check(`${SOCKETS} new sockets are within ${IMBALANCE_MAX * 100} % of an even distribution`, () => {
    const counts = instances.map((id) => live.filter((socket) => instanceOf(socket) === id).length);
    logProgress(`new sockets by instance: ${counts.join(", ")}`);
    const even = SOCKETS / instances.length;
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      SOCKETS,
    );
    for (const count of counts) assert(Math.abs(count - even) <= IMBALANCE_MAX * even, `${count} of ${even}`);
  });
  await check("all of them start with polling and upgrade to WebSocket", async () => {
    const transports = () => live.map((socket) => socket.io.engine.transport.name);
    await until(() => transports().every((name) => name === "websocket"), 20_000);
    assert(began.every((name) => name === undefined || name === "polling"));
    assert.deepEqual([...new Set(transports())], ["websocket"]);
  });
  for (const socket of live) socket.disconnect();
}

/** Returns the id of the container that serves a socket, which is part of the session id. */
function instanceOf(socket: { io: { engine?: unknown } }): string | undefined {
  return (socket.io.engine as { id?: string } | undefined)?.id?.split(".")[0];
}
