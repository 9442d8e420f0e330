import type { Attachment } from "@messageoh/contracts/attachments";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { ApiError, type Call } from "@messageoh/contracts/client";
import { getMediaState, UPLOADS_PATH } from "@messageoh/contracts/media";
import { Upload } from "tus-js-client";
import { pause } from "./account.ts";

const RETRY_MS = 500;
/** In a row, without progress: the signal ends an upload earlier. */
const RETRIES = 1_000;

/** A user who uploads and downloads files. */
export interface Uploader {
  url: string;
  /** Headers of the user's session. */
  headers: Record<string, string>;
  call: Call;
}

const isFinal = (status = 0): boolean => status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status);

export type UploadOptions = {
  signal: AbortSignal;
  /** What the client states of a sound or picture, for example `seconds`. */
  stated?: Record<string, string>;
  /** Called with the bytes that have arrived, after each part. */
  onProgress?: (offset: number) => unknown;
};

/**
 * Uploads a file as the browser does: in parts, each of them again after a failure, from the byte that the server
 * names.
 */
export async function uploadFile(
  { url, headers, call }: Uploader,
  thread_id: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  { signal, stated, onProgress }: UploadOptions,
): Promise<Attachment> {
  const location = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(Buffer.from(bytes), {
      endpoint: `${url}/messageoh${UPLOADS_PATH}`,
      headers,
      chunkSize: UPLOAD_PART_BYTES,
      metadata: { name, thread_id, ...stated },
      retryDelays: Array(RETRIES).fill(RETRY_MS),
      onShouldRetry: ({ originalResponse }) => !signal.aborted && !isFinal(originalResponse?.getStatus()),
      onChunkComplete: (_, offset) => onProgress?.(offset),
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ""),
    });
    upload.start();
  });
  const media_id = location.slice(location.lastIndexOf("/") + 1);
  for (;;) {
    signal.throwIfAborted();
    const state = await call(getMediaState, { params: { media_id } }).catch((error: Error) => error);
    if (state instanceof Error) {
      if (state instanceof ApiError && isFinal(state.status)) throw state;
    } else if (state.state === "refused") throw new ApiError(422, state.error);
    else if (state.state === "ready") return state.attachment;
    await pause(RETRY_MS);
  }
}

/** Downloads a variant of an attachment. */
export const download = (
  account: Uploader,
  id: string,
  variant: "thumb" | "view" | "file",
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${account.url}/messageoh/media/${id}/${variant}`, { headers: { ...account.headers, ...headers } });
