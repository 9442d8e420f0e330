import { safeParse } from "@messageoh/contracts/parse";
import { failedAck } from "@messageoh/contracts/realtime";
import type { ChatApi } from "../../fetching/chatApi.ts";
import type { Store } from "../../state/store.ts";
import type { ChatSocket } from "../socket/socket.ts";
import { deliveredSeq } from "./deliveredSeq.ts";
import { createReceiptSender } from "./receiptSender.ts";

export interface ReceiptsOptions {
  api: Pick<ChatApi, "markRead">;
  store: Store;
  request: ChatSocket["request"];
}

/** Returns the senders of read markers and of delivery receipts. */
export function createReceipts({ api, store, request }: ReceiptsOptions) {
  const read = createReceiptSender({
    targetOf: (thread) => (thread.readSeq > thread.serverReadSeq ? thread.readSeq : 0),
    async send(threadId, seq) {
      await api.markRead(threadId, seq);
      store.dispatch({ type: "markerMoved", kind: "read", threadId, userId: store.get().me.id, seq });
    },
    onFailure: (error) => console.warn("A thread could not be marked as read", error),
  });
  const delivered = createReceiptSender({
    targetOf: deliveredSeq,
    async send(thread_id, seq) {
      const ack = await request("message_delivered", { thread_id, seq });
      if (safeParse(failedAck, ack).data?.is_retryable) throw new Error("The server deferred the delivery receipt");
    },
  });
  return [read, delivered];
}
