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
  // Nobody notices whether a tick comes this much later, and many share a call.
  lingerMs: 50,
  // The client keeps its marker and sends it again.
  waitMs: 2_000,
};

type Answered = Exclude<MarkerResult, { retry: true }>;
export type MarkerSender = ReturnType<typeof createMarkerSender>;

/** Sends delivery markers to the svc-messages instances that own their threads, many in one call. */
export function createMarkerSender(service: MessagesService) {
  const batcher = createBatcher<MarkerMove, Answered>({
    name: "markers",
    keyOf: ({ thread_id, user_id }) => `${thread_id} ${user_id}`,
    ownerOf: ({ user_id }) => user_id,
    bytesOf: () => 300,
    laneOf: (key, attempts) => `${service.ownerOf(key.split(" ")[0] ?? "")}#${attempts > 0 ? "repeated" : ""}`,
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
    /** Resolves when the marker is moved or refused. Rejects with `BatcherBusy` if it cannot wait (any longer). */
    send: (marker: Marker, request_id: string): Promise<Answered> => batcher.add({ ...marker, request_id }),
    isIdle: batcher.isIdle,
  };
}
