import type { Marker, MarkerResult } from "@messageoh/contracts/messages";
import { Busy } from "@messageoh/service-kit/busy";
import type { MessagesService } from "./messagesService.ts";

const WAITING_MAX = 10_000;
/** Longest wait for a result, in milliseconds. The client retries the receipt afterwards. */
const WAIT_MAX_MS = 2_000;

type FinalResult = Exclude<MarkerResult, { retry: true }>;
export type ReceiptSender = ReturnType<typeof createReceiptSender>;

/** Sends delivery receipts to the svc-messages instances that own their threads. The client retries what fails. */
export function createReceiptSender(service: MessagesService) {
  const waiting = new Map<number, { resolve: (result: FinalResult) => void; reject: (error: Busy) => void }>();
  let lastNumber = 0;

  function settle(number: number, result: MarkerResult): void {
    const receipt = waiting.get(number);
    waiting.delete(number);
    if ("retry" in result) receipt?.reject(new Busy("Receipt not stored"));
    else receipt?.resolve(result);
  }

  return {
    /** Takes the result for the receipt with this number. Numbers of receipts are negative. */
    receive: settle,

    /**
     * Resolves when the receipt is stored or refused.
     * @throws Busy if it is not in time
     */
    send(receipt: Marker, request_id: string): Promise<FinalResult> {
      const owner = service.ownerOf(receipt.thread_id);
      if (!owner || waiting.size >= WAITING_MAX) return Promise.reject(new Busy("Too many receipts"));
      lastNumber -= 1;
      const number = lastNumber;
      const { promise, resolve, reject } = Promise.withResolvers<FinalResult>();
      waiting.set(number, { resolve, reject });
      service.request(owner, { receipts: [[number, { ...receipt, request_id }]] });
      setTimeout(settle, WAIT_MAX_MS, number, { retry: true }).unref();
      return promise;
    },
    /** Returns whether every receipt has its result. */
    isIdle: () => waiting.size === 0,
  };
}
