import type { Attachment } from "@messageoh/contracts/attachments";
import type { Call } from "@messageoh/contracts/client";
import { findAttachments } from "@messageoh/contracts/media";
import type { NewMessage } from "@messageoh/contracts/messages";

/** A message to store. */
export interface ResolvedMessage extends NewMessage {
  /** What svc-media says about its `attachments`. */
  resolved?: readonly Attachment[];
}

/**
 * Resolves the ids of a message's attachments. A message without attachments needs no call. Resolves with `refusal` if one of
 * them is not the sender's, belongs to another thread, is not ready, or was removed. Rejects if svc-media fails.
 */
export async function resolveAttachments(
  callMedia: Call,
  message: NewMessage,
): Promise<ResolvedMessage | { refusal: string }> {
  const { attachments: media_ids, sending_user_id: owner_id, thread_id } = message;
  if (!media_ids?.length) return message;
  const found = await callMedia(findAttachments, { body: { owner_id, thread_id, media_ids } });
  return "refusal" in found ? found : { ...message, resolved: found.attachments };
}
