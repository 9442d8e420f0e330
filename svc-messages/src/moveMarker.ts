import type { Marker } from "@messageoh/contracts/messages";
import type { ThreadMembers } from "@messageoh/contracts/users";
import type { Events } from "./events.ts";
import type { Markers } from "./marker.model.ts";
import type { Threads } from "./thread.model.ts";

export type MoveMarker = ReturnType<typeof createMoveMarker>;

/** Makes the one function that moves markers: never past the newest message, and tells both members if it moved. */
export function createMoveMarker(markers: Markers, threads: Threads, events: Events) {
  return async (thread: ThreadMembers, wanted: Marker, requestId: string): Promise<Marker> => {
    const last = (await threads.findLast(thread.thread_id))?.seq ?? 0;
    const marker = {
      kind: wanted.kind,
      thread_id: thread.thread_id,
      user_id: wanted.user_id,
      seq: Math.min(wanted.seq, last),
    };
    if (marker.seq > 0 && (await markers.advance(marker))) events.markerMoved(marker, thread.user_ids, requestId);
    return marker;
  };
}
