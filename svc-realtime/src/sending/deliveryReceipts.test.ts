import type { MarkerMove, MarkerResult } from "@messageoh/contracts/messages";
import { Busy } from "@messageoh/service-kit/busy";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { FakeStreams } from "../../testing/fakeStreams.ts";
import { createReceiptSender } from "./deliveryReceipts.ts";
import { createMessagesService } from "./messagesService.ts";

/** Returns a sender whose svc-messages responds to each receipt as the test defines. */
async function aSender(resultOf: (receipt: MarkerMove) => MarkerResult) {
  const streams = new FakeStreams();
  streams.resultsOf = ({ receipts }) => receipts.map(([number, receipt]) => [number, resultOf(receipt)]);
  const service = createMessagesService({
    discover: async () => ["http://one"],
    clientOf: () => () => Promise.reject(new Error("No call expected")),
    openStream: streams.open,
    logger: silentLogger,
  });
  const sender = createReceiptSender(service);
  const onResult = (number: number, result: unknown) => sender.receive(number, result as MarkerResult);
  service.listen({ onBeat: () => undefined, onFailed: () => undefined, onResult });
  await service.start();
  return { sender, streams, close: service.close };
}
const aReceipt = (thread_id: string, seq: number) => ({ kind: "delivered" as const, thread_id, user_id: "ann", seq });
const moved = ({ request_id: _, ...marker }: MarkerMove): MarkerResult => ({ marker });

it("sends the receipts of one turn in one frame", async () => {
  const { sender, streams, close } = await aSender(moved);
  const receipts = [aReceipt("a", 1), aReceipt("b", 2), aReceipt("a", 3)];
  expect(await Promise.all(receipts.map((receipt) => sender.send(receipt, "r")))).toEqual(
    receipts.map((marker) => ({ marker })),
  );
  expect(streams.frames.map(({ frame }) => frame.receipts.length)).toEqual([3]);
  expect(sender.isIdle()).toBe(true);
  close();
});

it("returns a refusal, and rejects as busy what is to be retried", async () => {
  const { sender, close } = await aSender(({ thread_id }) =>
    thread_id === "foreign" ? { error: "This is not yours" } : { retry: true },
  );
  expect(await sender.send(aReceipt("foreign", 1), "r")).toEqual({ error: "This is not yours" });
  await expect(sender.send(aReceipt("late", 1), "r")).rejects.toThrow(Busy);
  close();
});

it("rejects as busy what has no result after two seconds", async () => {
  const { sender, streams, close } = await aSender(moved);
  streams.silent.add("http://one");
  jest.useFakeTimers();
  const outcome = sender.send(aReceipt("a", 1), "r").catch((error) => error);
  jest.advanceTimersByTime(2_000);
  jest.useRealTimers();
  expect(await outcome).toBeInstanceOf(Busy);
  expect(sender.isIdle()).toBe(true);
  close();
});
