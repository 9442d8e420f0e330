import type { Attachment } from "@messageoh/contracts/attachments";
import type { Call } from "@messageoh/contracts/client";
import { MESSAGE_DELETED } from "@messageoh/contracts/errorTexts";
import {
  copyAttachments,
  copyLinkPreview,
  findAttachments,
  findLinkPreview,
} from "@messageoh/contracts/internal/media";
import type { NewMessage } from "@messageoh/contracts/internal/messages";
import { HOPS_MAX } from "@messageoh/contracts/limits";
import { type LinkPreview, previewIn } from "@messageoh/contracts/linkPreviews";
import { type Messages, messageKey } from "../messages/message.model.ts";
import type { Members } from "../threads/members.ts";

const NOT_YOURS = "You can only forward messages of your own chats";

/** A message to store, with what it names by reference. */
export interface ResolvedMessage extends NewMessage {
  /** What svc-media says about its attachments. */
  resolved?: readonly Attachment[];
  /** What svc-media says about the link in its text. */
  linkPreview?: LinkPreview;
  /** How many times it was forwarded. */
  forwarded?: number;
}

export interface ResolveDeps {
  callMedia: Call;
  members: Members;
  messages: Messages;
}

/**
 * Resolves with a message and what it names by reference: uploads and a link preview of the sender, or another message
 * that it forwards. Most messages name nothing and need no call. Resolves with `refusal` if the reference does not
 * exist, no longer exists, or is not the sender's. Rejects if a service fails. A link preview is left out in all these
 * cases.
 */
export type Resolve = (message: NewMessage) => Promise<ResolvedMessage | { refusal: string }>;

export function createResolve({ callMedia, members, messages }: ResolveDeps): Resolve {
  async function withPreview<M extends NewMessage>(message: M, found: Promise<{ preview: LinkPreview | null }>) {
    const { preview } = await found.catch(() => ({ preview: null }));
    const linkPreview = previewIn(message.text, preview ?? undefined);
    return linkPreview ? { ...message, linkPreview } : message;
  }

  async function resolveForward(message: NewMessage, forward: NonNullable<NewMessage["forward_of"]>) {
    const { client_id, sending_user_id, thread_id } = message;
    const from = await members.find(forward.thread_id, sending_user_id);
    if (!from?.user_ids.includes(sending_user_id)) return { refusal: NOT_YOURS };
    const row = await messages.findOne({ _id: messageKey(from.thread_id, forward.seq) });
    if (!row || row.deleted_at) return { refusal: MESSAGE_DELETED };
    const forwarded = Math.min((row.forwarded ?? 0) + 1, HOPS_MAX);
    const { attachments: _, preview: __, ...rest } = message;
    const copy = { ...rest, text: row.text, forwarded };
    const target = { owner_id: sending_user_id, from_thread_id: from.thread_id, thread_id, client_id };
    if (row.preview)
      return withPreview(copy, callMedia(copyLinkPreview, { body: { ...target, preview_id: row.preview.id } }));
    if (!row.attachments?.length) return copy;
    const media_ids = row.attachments.map(({ id }) => id);
    const copied = await callMedia(copyAttachments, { body: { ...target, media_ids } });
    return "refusal" in copied ? copied : { ...copy, resolved: copied.attachments };
  }

  return async (message) => {
    const { attachments: media_ids, preview: preview_id, forward_of, sending_user_id: owner_id, thread_id } = message;
    if (forward_of) return resolveForward(message, forward_of);
    if (!media_ids?.length) {
      if (preview_id === undefined) return message;
      return withPreview(message, callMedia(findLinkPreview, { body: { owner_id, thread_id, preview_id } }));
    }
    const found = await callMedia(findAttachments, { body: { owner_id, thread_id, media_ids } });
    return "refusal" in found ? found : { ...message, resolved: found.attachments };
  };
}
