import { ApiError } from "@messageoh/contracts/client";
import { listRecentMessages, type Message } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import type * as z from "zod/mini";
import { aMessage } from "../../testing/messages.ts";
import { eventually } from "../../testing/waiting.ts";
import { createBackfill } from "./backfill.ts";
import { DeliveryLog } from "./deliveryLog.ts";
import { ANY_PROCESS, ServiceClocks } from "./serviceClocks.ts";

const messageAt = (time: number) => aMessage({ id: time.toString(16).padStart(12, "0").padEnd(24, "0") });

/** Returns a backfill for the user bob, whose svc-messages responds as the test defines. */
function aBackfill(recentMessages: () => Message[], isLive = true, clockAheadMs = 0) {
  const deliveryLog = new DeliveryLog();
  const requests: z.output<(typeof listRecentMessages)["body"]>[] = [];
  const sinces: number[] = [];
  const delivered: string[] = [];
  const clocks = new ServiceClocks();
  const callMessages = createFakeCall([
    route(listRecentMessages, ({ body }) => {
      const clock = { now: Date.now() + clockAheadMs, process: "c0ffee" };
      if (body.user_ids.length === 0) return { messages: [], ...clock };
      requests.push(body);
      sinces.push(Date.parse(body.since));
      return { messages: recentMessages(), ...clock };
    }),
  ]);
  const backfill = createBackfill({
    callMessages,
    delivery: { deliverBackfilled: (message) => delivered.push(message.id) },
    deliveryLog,
    clocks,
    localUsers: () => ["bob"],
    isLive: () => isLive,
    logger: silentLogger,
  });
  return { backfill, clocks, deliveryLog, requests, sinces, delivered };
}

it("covers the time since the last successful run after failed runs", async () => {
  let failures = 2;
  const { backfill, sinces } = aBackfill(() => {
    if (failures-- > 0) throw new ApiError(503);
    return [];
  });
  const startedAt = Date.now();
  backfill.request();
  await eventually(
    () => sinces.length,
    (count) => count === 3,
  );
  backfill.close();
  expect(new Set(sinces).size).toBe(1);
  expect(sinces[0]).toBeLessThanOrEqual(startedAt - 20_000);
});

it("requests the next page from the last message of a full page", async () => {
  const now = Date.now();
  const pages = [Array.from({ length: 1_000 }, (_, index) => messageAt(now + index)), [messageAt(now + 1_000)]];
  const { backfill, sinces, delivered } = aBackfill(() => pages.shift() ?? []);
  backfill.request();
  await eventually(
    () => delivered.length,
    (count) => count === 1_001,
  );
  backfill.close();
  expect(sinces[1]).toBe(now + 999);
});

it("runs every two seconds while no events arrive", async () => {
  const { backfill, sinces } = aBackfill(() => [], false);
  backfill.request();
  await eventually(
    () => sinces.length,
    (count) => count >= 2,
  );
  backfill.close();
  expect(sinces.length).toBeGreaterThanOrEqual(2);
});

it("sends the number of delivered messages in the requested time span", async () => {
  const { backfill, deliveryLog, requests } = aBackfill(() => []);
  const now = Date.now();
  for (const time of [now - 30_000, now - 10_000, now - 10, now + 60_000]) deliveryLog.add("bob", time);
  deliveryLog.add("ann", now - 10);
  backfill.request();
  await eventually(
    () => requests.length,
    (count) => count === 1,
  );
  backfill.close();
  expect(requests[0]?.known).toEqual({ bob: 2 });
  expect(Date.parse(requests[0]?.until ?? "")).toBeGreaterThanOrEqual(now);
});

it("runs again when a run is requested during a run", async () => {
  const { backfill, sinces } = aBackfill(() => {
    if (sinces.length === 1) backfill.request();
    return [];
  });
  backfill.request();
  await eventually(
    () => sinces.length,
    (count) => count === 2,
  );
  backfill.close();
});

it("leaves messages whose events may still arrive to the next run", async () => {
  jest.useFakeTimers();
  try {
    const { backfill, requests } = aBackfill(() => []);
    await jest.advanceTimersByTimeAsync(15_000);
    backfill.close();
    expect(requests.map(({ until }) => Date.now() - Date.parse(until ?? ""))).toEqual([2_000]);
  } finally {
    jest.useRealTimers();
  }
});

it("runs every two seconds after it delivered a message, because its events get lost without an error", async () => {
  jest.useFakeTimers();
  try {
    let lost = 1;
    const { backfill, requests } = aBackfill(() => {
      if (lost-- > 0) backfill.noticeLoss();
      return [];
    });
    await jest.advanceTimersByTimeAsync(15_000);
    expect(requests).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(2_100);
    expect(requests).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(2_100);
    expect(requests).toHaveLength(2);
    backfill.close();
  } finally {
    jest.useRealTimers();
  }
});

it("learns the clock of the process that responds", async () => {
  const { backfill, clocks } = aBackfill(() => []);
  await backfill.learnTime();
  backfill.close();
  clocks.observe(ANY_PROCESS, Number.MAX_SAFE_INTEGER);
  expect(clocks.toLocal("c0ffee", Date.now())).toBeGreaterThan(0);
});

it.each([-3_600_000, 3_600_000])(
  "covers the same messages if the clock of svc-messages is %d ms ahead",
  async (ahead) => {
    jest.useFakeTimers();
    try {
      const startedAt = Date.now();
      const { backfill, requests } = aBackfill(() => [], true, ahead);
      await jest.advanceTimersByTimeAsync(15_000);
      backfill.close();
      const [first] = requests;
      expect([Date.parse(first?.since ?? ""), Date.parse(first?.until ?? "")]).toEqual([
        startedAt + ahead - 20_000,
        startedAt + ahead + 13_000,
      ]);
    } finally {
      jest.useRealTimers();
    }
  },
);
