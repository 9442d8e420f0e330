import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { type Marker, type MarkerMove, type MarkerResult, moveMarkers } from "@messageoh/contracts/messages";
import { createBatcher, RETRY } from "@messageoh/service-kit/batcher";
import type { MessagesService } from "./messagesService.ts";

const LIMITS = {
  batchItems: BATCH_MAX_MESSAGES,
  batchBytes: 1_000_000,
  keyItems: 16,
  keyWaitingItems: 100,
  waitingItems: 10_000,
  waitingBytes: 10_000_000,
  running: 1,
  itemsPerRunning: 1,
  // Collects more receipts per call. Users do not notice this delay of a delivery tick.
  lingerMs: 50,
  // The client retries the receipt afterwards.
  waitMs: 2_000,
};

type FinalResult = Exclude<MarkerResult, { retry: true }>;
export type ReceiptSender = ReturnType<typeof createReceiptSender>;

/** Sends delivery receipts to the svc-messages instances that own their threads, in batches. */
export function createReceiptSender(service: MessagesService) {
  const batcher = createBatcher<MarkerMove, FinalResult>({
    name: "delivery_receipts",
    keyOf: ({ thread_id, user_id }) => `${thread_id} ${user_id}`,
    ownerOf: ({ user_id }) => user_id,
    bytesOf: () => 300,
    laneOf: (key, attempts) => `${service.ownerOf(key.split(" ")[0] ?? "")}#${attempts > 0 ? "retry" : ""}`,
    async run(markers) {
      const [first] = markers;
      const call = service.callFor(first?.thread_id ?? "");
      const { results } = await call(moveMarkers, { body: { markers } });
      return results.map((result) => ("retry" in result ? RETRY : result));
    },
    limits: LIMITS,
  });
  service.onChange(batcher.reroute);

  return {
    /**
     * Resolves when the receipt is stored or refused.
     * @throws BatcherBusy if the queue is full or the receipt waited too long
     */
    send: (receipt: Marker, request_id: string): Promise<FinalResult> => batcher.add({ ...receipt, request_id }),
    /** Returns whether every receipt has its result. */
    isIdle: batcher.isIdle,
  };
}
