import type { UserEvent } from "@messageoh/contracts/bus";
import { GENERIC_ERROR, NOT_YOURS } from "@messageoh/contracts/errorTexts";
import type { Marker, MarkerMove, MarkerResult } from "@messageoh/contracts/internal/messages";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { BATCH_MAX_MESSAGES } from "@messageoh/contracts/limits";
import { Busy } from "@messageoh/service-kit/busy";
import { combineCalls } from "@messageoh/service-kit/combineCalls";
import { unavailable } from "@messageoh/service-kit/errors";
import type { Events } from "../messages/events.ts";
import type { Members } from "../threads/members.ts";
import type { Threads } from "../threads/thread.model.ts";
import type { Markers } from "./marker.model.ts";

/** A marker to move. Its user is a member of the thread. */
export interface Move {
  thread: ThreadMembers;
  marker: Marker;
  requestId: string;
}

type MoveMarkers = ReturnType<typeof createMoveMarkers>;

/**
 * Returns a function that moves markers, at most to the newest message of their thread, and publishes each moved one to
 * both members. It resolves with the requested markers, each limited to the newest message.
 */
export function createMoveMarkers(markers: Markers, threads: Threads, events: Events) {
  return async (moves: readonly Move[]): Promise<Marker[]> => {
    const lastSeqs = await threads.findLastSeqs([...new Set(moves.map(({ thread }) => thread.thread_id))]);
    const bounded = moves.map(({ thread: { thread_id }, marker: { kind, user_id, seq } }) => {
      return { kind, thread_id, user_id, seq: Math.min(seq, lastSeqs.get(thread_id) ?? 0) };
    });
    const moved = new Set(await markers.advance(bounded));
    events.toUsers(
      ...moves.flatMap(({ thread, requestId }, index): [readonly string[], UserEvent][] => {
        const marker = bounded[index] as Marker;
        return moved.has(marker) ? [[thread.user_ids, { type: "marker", marker, request_id: requestId }]] : [];
      }),
    );
    return bounded;
  };
}

/**
 * Limits of {@link createMoveMarker}. A call on a lost connection hangs until the driver's timeout, so others run
 * beside it.
 */
const TOGETHER = { itemsMax: BATCH_MAX_MESSAGES, waitingMax: 10_000, running: 4 };

export type MoveMarker = ReturnType<typeof createMoveMarker>;

/**
 * Returns a function that moves one marker. Markers that are requested while others are written are written together,
 * which costs two database commands in all. It rejects with 503 if too many markers wait.
 */
export function createMoveMarker(moveMarkers: MoveMarkers): (move: Move) => Promise<Marker> {
  const moveTogether = combineCalls(moveMarkers, TOGETHER);
  return (move) =>
    moveTogether(move).catch((error: unknown) => {
      throw error instanceof Busy ? unavailable(GENERIC_ERROR, error) : error;
    });
}

export type StoreReceipt = ReturnType<typeof createStoreReceipt>;

/** Returns a function that moves the marker of a receipt and resolves with its result. It never rejects. */
export function createStoreReceipt(members: Members, moveMarker: MoveMarker) {
  return async ({ request_id, ...marker }: MarkerMove): Promise<MarkerResult> => {
    try {
      const thread = await members.find(marker.thread_id, marker.user_id);
      if (!thread?.user_ids.includes(marker.user_id)) return { error: NOT_YOURS };
      return { marker: await moveMarker({ thread, marker, requestId: request_id }) };
    } catch {
      return { retry: true };
    }
  };
}
