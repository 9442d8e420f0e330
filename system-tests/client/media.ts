import type { Attachment } from "@messageoh/contracts/attachments";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { ApiError, type Call } from "@messageoh/contracts/client";
import { getMediaState, UPLOADS_PATH } from "@messageoh/contracts/media";
import { pause } from "./account.ts";

const POLL_MS = 200;
const RETRY_MS = 500;

/** A user who uploads and downloads files. */
export interface Uploader {
  url: string;
  /** Headers of the user's session. */
  headers: Record<string, string>;
  call: Call;
}

/** Returns the headers of the tus protocol for a user. */
export const tusHeaders = ({ headers }: Pick<Uploader, "headers">): Record<string, string> => ({
  ...headers,
  "tus-resumable": "1.0.0",
});

/** Returns the Upload-Metadata header of a new upload. */
export const uploadMetadata = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

/** Begins an upload. */
export const createUpload = (
  account: Uploader,
  length: number | string,
  metadata: Record<string, string>,
): Promise<Response> =>
  fetch(`${account.url}/messageoh${UPLOADS_PATH}`, {
    method: "POST",
    headers: {
      ...tusHeaders(account),
      "upload-length": String(length),
      "upload-metadata": uploadMetadata(metadata),
    },
  });

/** Sends a part of an upload. */
export const sendPart = (
  account: Uploader,
  path: string,
  offset: number,
  part: Uint8Array<ArrayBuffer>,
): Promise<Response> =>
  fetch(account.url + path, {
    method: "PATCH",
    headers: {
      ...tusHeaders(account),
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset),
    },
    body: part,
  });

async function orThrow(sending: Promise<Response>): Promise<Response> {
  const response = await sending;
  if (!response.ok) throw new ApiError(response.status, await response.text());
  return response;
}

/** Returns how many bytes of an upload have arrived. */
async function offsetOf(account: Uploader, path: string): Promise<number> {
  const { headers } = await orThrow(fetch(account.url + path, { method: "HEAD", headers: tusHeaders(account) }));
  return Number(headers.get("upload-offset"));
}

const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status);

/** Repeats `work` until it succeeds, the server refuses it for good, or `signal` is aborted. */
async function untilDone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && isFinal(error.status))) throw error;
      await pause(RETRY_MS);
    }
  }
}
export type UploadOptions = {
  signal: AbortSignal;
  /** What the client states of a sound or picture, for example `seconds`. */
  stated?: Record<string, string>;
  /** Called with the bytes that have arrived, after each part. */
  onProgress?: (offset: number) => unknown;
};

/** Uploads a file as the browser does: in parts, each of them again after a failure, from the byte that the server names. */
export async function uploadFile(
  account: Uploader,
  threadId: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  { signal, stated, onProgress }: UploadOptions,
): Promise<Attachment> {
  const created = await untilDone(signal, () =>
    orThrow(createUpload(account, bytes.length, { name, thread_id: threadId, ...stated })),
  );
  const path = created.headers.get("location") ?? "";
  for (let offset = 0; offset < bytes.length; ) {
    offset = await untilDone(signal, async () => {
      const from = await offsetOf(account, path);
      if (from < bytes.length)
        await orThrow(sendPart(account, path, from, bytes.slice(from, from + UPLOAD_PART_BYTES)));
      return Math.min(from + UPLOAD_PART_BYTES, bytes.length);
    });
    await onProgress?.(offset);
  }
  const media_id = path.slice(path.lastIndexOf("/") + 1);
  return untilDone(signal, async () => {
    const state = await account.call(getMediaState, { params: { media_id } });
    if (state.state === "refused") throw new ApiError(422, state.error);
    if (state.state === "ready") return state.attachment;
    await pause(POLL_MS);
    throw new Error(`The upload is ${state.state}`);
  });
}

/** Downloads a variant of an attachment. */
export const download = (
  account: Uploader,
  id: string,
  variant: "thumb" | "view" | "file",
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${account.url}/messageoh/media/${id}/${variant}`, { headers: { ...account.headers, ...headers } });
