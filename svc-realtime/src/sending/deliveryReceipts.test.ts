import { type MarkerMove, type MarkerResult, moveMarkers } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { createReceiptSender } from "./deliveryReceipts.ts";
import { createMessagesService } from "./messagesService.ts";

/** Returns a sender whose svc-messages responds to each receipt as the test defines. */
async function aSender(resultOf: (receipt: MarkerMove) => MarkerResult) {
  const batches: MarkerMove[][] = [];
  const call = createFakeCall([
    route(moveMarkers, ({ body }) => {
      batches.push(body.markers);
      return { results: body.markers.map(resultOf) };
    }),
  ]);
  const service = createMessagesService({
    discover: async () => ["http://one"],
    clientOf: () => call,
    probe: async () => true,
    logger: silentLogger,
  });
  await service.start();
  return { sender: createReceiptSender(service), batches, close: service.close };
}
const aReceipt = (thread_id: string, seq: number) => ({ kind: "delivered" as const, thread_id, user_id: "ann", seq });
const moved = ({ request_id: _, ...marker }: MarkerMove): MarkerResult => ({ marker });

it("sends the receipts of several threads in one call", async () => {
  const { sender, batches, close } = await aSender(moved);
  const receipts = [aReceipt("a", 1), aReceipt("b", 2), aReceipt("a", 3)];
  expect(await Promise.all(receipts.map((receipt) => sender.send(receipt, "r")))).toEqual(
    receipts.map((marker) => ({ marker })),
  );
  expect(batches.map((batch) => batch.map(({ thread_id, seq }) => `${thread_id}${seq}`).sort())).toEqual([
    ["a1", "a3", "b2"],
  ]);
  expect(sender.isIdle()).toBe(true);
  close();
});

it("retries a receipt that is to be retried, and returns a refusal", async () => {
  let failures = 1;
  const { sender, batches, close } = await aSender((receipt) => {
    if (receipt.thread_id === "foreign") return { error: "This is not yours" };
    return receipt.thread_id === "late" && failures-- > 0 ? { retry: true } : moved(receipt);
  });
  const results = await Promise.all(["foreign", "late", "good"].map((thread) => sender.send(aReceipt(thread, 1), "r")));
  expect(results).toMatchObject([{ error: "This is not yours" }, { marker: { seq: 1 } }, { marker: { seq: 1 } }]);
  expect(batches.map((batch) => batch.length)).toEqual([3, 1]);
  close();
});
