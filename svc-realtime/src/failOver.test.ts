import { ApiError, type Call } from "@messageoh/contracts/client";
import { storeMessages } from "@messageoh/contracts/messages";
import { failOver } from "./failOver.ts";

const answering = (name: string, log: string[], error?: Error) =>
  (async () => {
    log.push(name);
    if (error) throw error;
    return name;
  }) as unknown as Call;

async function callTimes(call: Call, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await call(storeMessages, {}).catch(() => {});
}

it("stays with an instance that answers", async () => {
  const log: string[] = [];
  await callTimes(failOver([answering("a", log), answering("b", log)]), 5);
  expect(new Set(log).size).toBe(1);
});

it.each([0, 500, 503])("goes on to the next after status %d, and fails that one call", async (status) => {
  const log: string[] = [];
  const call = failOver([answering("dead", log, new ApiError(status)), answering("alive", log)]);
  await callTimes(call, 3);
  expect(log.slice(-2)).toEqual(["alive", "alive"]);
});

it("does not leave an instance that refuses", async () => {
  const log: string[] = [];
  const refusal = new ApiError(403);
  await callTimes(failOver([answering("a", log, refusal), answering("b", log, refusal)]), 4);
  expect(new Set(log).size).toBe(1);
});
