import { ApiError, type Call } from "@messageoh/contracts/client";
import type { Message } from "@messageoh/contracts/messages";
import { silentLogger } from "@messageoh/service-kit/testing/engines";
import { eventually } from "../../testing/realtime.ts";
import { Received } from "./received.ts";
import { createReplay } from "./replay.ts";

type Asked = { body: { user_ids: string[]; since: string; until: string; known: Record<string, number> } };
const messageAt = (time: number) => ({ id: time.toString(16).padStart(12, "0").padEnd(24, "0") }) as Message;

function aReplay(answer: (asked: Asked["body"]) => Message[], isLive = true) {
  const received = new Received();
  const asked: Asked["body"][] = [];
  const sinces: number[] = [];
  const brought: string[] = [];
  const callMessages = async (_: unknown, { body }: Asked) => {
    asked.push(body);
    sinces.push(Date.parse(body.since));
    return { messages: answer(body) };
  };
  const replay = createReplay({
    callMessages: callMessages as unknown as Call,
    delivery: { deliverMissed: (message) => brought.push(message.id) },
    received,
    localUsers: () => ["bob"],
    isLive: () => isLive,
    logger: silentLogger,
  });
  return { replay, received, asked, sinces, brought };
}

it("covers all since the last sweep that succeeded, however many failed in between", async () => {
  let failures = 2;
  const { replay, sinces } = aReplay(() => {
    if (failures-- > 0) throw new ApiError(503);
    return [];
  });
  const startedAt = Date.now();
  replay.soon();
  await eventually(
    () => sinces.length,
    (count) => count === 3,
    5_000,
  );
  replay.close();
  expect(new Set(sinces).size).toBe(1);
  expect(sinces[0]).toBeLessThanOrEqual(startedAt - 20_000);
});

it("asks on from the last message of a full answer", async () => {
  const now = Date.now();
  const pages = [Array.from({ length: 1_000 }, (_, index) => messageAt(now + index)), [messageAt(now + 1_000)]];
  const { replay, sinces, brought } = aReplay(() => pages.shift() ?? []);
  replay.soon();
  await eventually(
    () => brought.length,
    (count) => count === 1_001,
  );
  replay.close();
  expect(sinces[1]).toBe(now + 999);
});

it("asks again every two seconds while events do not come in", async () => {
  const { replay, sinces } = aReplay(() => [], false);
  replay.soon();
  await eventually(
    () => sinces.length,
    (count) => count >= 2,
    5_000,
  );
  replay.close();
  expect(sinces.length).toBeGreaterThanOrEqual(2);
});

it("says how many messages it knows of, of the time that it asks for", async () => {
  const { replay, received, asked } = aReplay(() => []);
  const now = Date.now();
  for (const time of [now - 30_000, now - 10_000, now - 10, now + 60_000]) received.add("bob", time);
  received.add("ann", now - 10);
  replay.soon();
  await eventually(
    () => asked.length,
    (count) => count === 1,
  );
  replay.close();
  expect(asked[0]?.known).toEqual({ bob: 2 });
  expect(Date.parse(asked[0]?.until ?? "")).toBeGreaterThanOrEqual(now);
});

it("looks again when it is asked to during a look", async () => {
  const { replay, sinces } = aReplay(() => {
    if (sinces.length === 1) replay.soon();
    return [];
  });
  replay.soon();
  await eventually(
    () => sinces.length,
    (count) => count === 2,
  );
  replay.close();
});

it("leaves to the next look what may still be on its way", async () => {
  jest.useFakeTimers();
  try {
    const { replay, asked } = aReplay(() => []);
    await jest.advanceTimersByTimeAsync(15_000);
    replay.close();
    expect(asked.map(({ until }) => Date.now() - Date.parse(until))).toEqual([2_000]);
  } finally {
    jest.useRealTimers();
  }
});
