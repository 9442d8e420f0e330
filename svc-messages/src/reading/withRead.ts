import { setImmediate as nextTurn } from "node:timers/promises";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import type { Message } from "@messageoh/contracts/messages";
import type { Markers } from "../markers/marker.model.ts";
import { type MessageRow, toMessage } from "../messages/message.model.ts";

/** Messages that are converted before other requests may run. */
const CONVERT_BATCH = 1_000;

/** Returns a function that resolves with messages of threads, each with whether its recipient has read it. */
export const createWithRead =
  (markers: Pick<Markers, "find">) =>
  async (rows: readonly MessageRow[], of: readonly ThreadMembers[]): Promise<Message[]> => {
    const threadIds = new Set(rows.map(({ thread_id }) => thread_id));
    const markerOf = await markers.find(of.filter(({ thread_id }) => threadIds.has(thread_id)));
    const found: Message[] = [];
    for (const row of rows) {
      found.push(toMessage(row, row.seq <= markerOf(row.thread_id, row.recipient_user_id).read_seq));
      if (found.length % CONVERT_BATCH === 0) await nextTurn();
    }
    return found;
  };
