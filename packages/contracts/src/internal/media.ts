import * as v from "valibot";
import { endpoint } from "../http/endpoint.ts";
import { attachment, attachmentIds } from "../rules/attachments.ts";
import { id } from "../rules/fields.ts";
import { linkPreview } from "../rules/linkPreviews.ts";

/**
 * Resolves ids to attachments that this user has uploaded for this thread. For svc-messages, before it stores a
 * message.
 */
export const findAttachments = endpoint({
  method: "POST",
  path: "/internal/media/find",
  body: v.object({ owner_id: id, thread_id: id, media_ids: attachmentIds }),
  response: v.union([v.object({ attachments: v.array(attachment) }), v.object({ refusal: v.string() })]),
});

/**
 * Copies attachments of a message that a user forwards to another thread. For svc-messages, which has checked that the
 * user is a member of `from_thread_id` and that a message there contains them. A copy costs no bytes in a folder, and
 * counts like an upload of the user. A call with the same `client_id` makes the same copies, and counts them once.
 */
export const copyAttachments = endpoint({
  method: "POST",
  path: "/internal/media/copy",
  body: v.object({ owner_id: id, from_thread_id: id, thread_id: id, client_id: id, media_ids: attachmentIds }),
  response: v.union([v.object({ attachments: v.array(attachment) }), v.object({ refusal: v.string() })]),
});

/**
 * Resolves an id to a link preview that this user got for this thread. For svc-messages, before it stores a message.
 */
export const findLinkPreview = endpoint({
  method: "POST",
  path: "/internal/media/previews/find",
  body: v.object({ owner_id: id, thread_id: id, preview_id: id }),
  response: v.object({ preview: v.nullable(linkPreview) }),
});

/** Copies the link preview of a message that a user forwards to another thread, as {@link copyAttachments} does. */
export const copyLinkPreview = endpoint({
  method: "POST",
  path: "/internal/media/previews/copy",
  body: v.object({ owner_id: id, from_thread_id: id, thread_id: id, client_id: id, preview_id: id }),
  response: v.object({ preview: v.nullable(linkPreview) }),
});
