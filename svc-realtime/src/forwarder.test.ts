import { ApiError, type Call } from "@messageoh/contracts/client";
import type { NewMessage } from "@messageoh/contracts/messages";
import { silentLogger } from "@messageoh/service-kit/testing/engines";
import { createForwarder } from "./forwarder.ts";

const aMessage = (client_id: string) => ({ client_id }) as NewMessage;
type Batch = { body: { messages: NewMessage[] } };
const idsOf = ({ body }: Batch) => body.messages.map((message) => message.client_id);
const stored = (call: Batch) => ({ results: idsOf(call).map((id) => `stored ${id}`) });

it("sends at once when idle, and as one batch what comes while a call is under way", async () => {
  const batches: string[][] = [];
  const call = async (_: unknown, input: Batch) => {
    batches.push(idsOf(input));
    await new Promise((resolve) => setTimeout(resolve, 5));
    return stored(input);
  };
  const forwarder = createForwarder(call as unknown as Call, silentLogger, () => {});
  const answers = await Promise.all(["a", "b", "c"].map((id) => forwarder.send(aMessage(id))));
  expect(batches).toEqual([["a"], ["b", "c"]]);
  expect(answers).toEqual(["stored a", "stored b", "stored c"]);
  expect(forwarder.isIdle()).toBe(true);
});

it("sends a failed batch again with the same ids, together with what came meanwhile, and keeps the order", async () => {
  const batches: string[][] = [];
  const call = async (_: unknown, input: Batch) => {
    batches.push(idsOf(input));
    if (batches.length < 3) throw new ApiError(0);
    return stored(input);
  };
  const forwarder = createForwarder(call as unknown as Call, silentLogger, () => {});
  await Promise.all(["a", "b"].map((id) => forwarder.send(aMessage(id))));
  expect(batches).toEqual([["a"], ["a", "b"], ["a", "b"]]);
});

it("says when it has been stuck for a while, and when it goes on", async () => {
  const states: boolean[] = [];
  const until = Date.now() + 3_200;
  const call = async (_: unknown, input: Batch) => {
    if (Date.now() < until) throw new ApiError(503);
    return stored(input);
  };
  const forwarder = createForwarder(call as unknown as Call, silentLogger, (isStuck) => states.push(isStuck));
  await forwarder.send(aMessage("a"));
  expect([states[0], states.at(-1)]).toEqual([true, false]);
});

it("passes on that a message was refused", async () => {
  const call = async () => ({ results: [{ error: "no friend" }] });
  const forwarder = createForwarder(call as unknown as Call, silentLogger, () => {});
  expect(await forwarder.send(aMessage("a"))).toEqual({ error: "no friend" });
});

it("refuses, for now, what does not fit into its queue", () => {
  const forwarder = createForwarder((() => new Promise(() => {})) as unknown as Call, silentLogger, () => {});
  for (let count = 0; count < 5_000; count += 1) void forwarder.send(aMessage(`${count}`));
  expect(() => forwarder.send(aMessage("one more"))).toThrow(expect.objectContaining({ isRetryable: true }));
});
