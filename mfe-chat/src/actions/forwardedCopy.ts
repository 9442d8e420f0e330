import { HOPS_MAX } from "@messageoh/contracts/limits";
import { newClientId } from "../outbox/clientId.ts";
import type { NewMessage } from "../outbox/outbox.ts";
import type { ThreadMessage } from "../state/thread/shownMessages.ts";

/** Returns the message to a friend that forwards a stored one. */
export function forwardedCopy(original: ThreadMessage, thread_id: string, recipient_user_id: string): NewMessage {
  const { threadId, seq, text, attachments, preview, forwarded = 0 } = original;
  return {
    client_id: newClientId(),
    thread_id,
    recipient_user_id,
    text,
    forward_of: { thread_id: threadId, seq: seq ?? 0 },
    preview,
    forwarded: Math.min(forwarded + 1, HOPS_MAX),
    ...(attachments
      ? { attachments: attachments.flatMap(({ id, ...file }) => (id === null ? [] : { id, ...file })) }
      : {}),
  };
}
