import type { ThreadMessage } from "../src/state/thread/shownMessages.ts";

/** Returns a stored message of a friend with sequence number `seq`. */
export function aThreadMessage(seq: number, parts: Partial<ThreadMessage> = {}): ThreadMessage {
  return {
    key: `m${seq}`,
    id: `m${seq}`,
    threadId: "with-bob",
    seq,
    isMine: false,
    text: `Message ${seq}`,
    timestamp: new Date(2024, 0, 8, 12, 0, seq).toISOString(),
    sendState: null,
    ...parts,
  };
}
