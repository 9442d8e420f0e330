import type { Attachment } from "@messageoh/contracts/attachments";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { API_BASE, ApiError, type Call, errorIn } from "@messageoh/contracts/client";
import { getMediaState, type MediaState, UPLOADS_PATH } from "@messageoh/contracts/media";
import { DetailedError, Upload } from "tus-js-client";
import type { QueuedFile } from "../outbox/queuedMessage.ts";
import type { UploadWatch } from "../outbox/uploads.ts";
import { parseJson } from "../storage/browserStorage.ts";

/** An upload that makes no progress for this long has lost its connection. */
const STALLED_MS = 30_000;
/** How long the server may examine a file before the attempt counts as failed. */
const PROCESSING_MAX_MS = 120_000;
const POLL_FIRST_MS = 150;
const POLL_MAX_MS = 2_000;
/** The offset has moved, or another request holds the upload: the next attempt asks for the offset. */
const BUSY = [409, 423];
/** The user, or the server, has no space for more today: a message does not wait for that. */
const FULL = 507;
const WAIT_MAX_SECONDS = 60;

interface FileUpload extends UploadWatch {
  /** Rejects with ApiError. */
  call: Call;
  thread_id: string;
  file: QueuedFile;
  content: Blob;
}

/**
 * Uploads a file and waits until the server has examined it; continues an upload that has begun. Resolves with the
 * attachment. Rejects with ApiError, with a status between 400 and 499 if the server refuses the file.
 */
export async function uploadFile(upload: FileUpload): Promise<Attachment> {
  const { file, signal, onUrl } = upload;
  let { url } = file;
  let pollMs = POLL_FIRST_MS;
  let polledMs = 0;
  while (polledMs < PROCESSING_MAX_MS) {
    const known = url === undefined ? undefined : await stateOf(upload, url);
    signal.throwIfAborted();
    if (known?.state === "ready") return known.attachment;
    if (known?.state === "refused") throw new ApiError(422, known.error);
    if (known?.state !== "processing") url = await sendBytes(upload, known ? url : undefined, onUrl);
    await delay(pollMs);
    signal.throwIfAborted();
    polledMs += pollMs;
    pollMs = Math.min(POLL_MAX_MS, pollMs * 1.5);
  }
  throw new ApiError(0);
}

/** Returns `undefined` if the server has removed the upload. */
async function stateOf({ call }: FileUpload, url: string): Promise<MediaState | undefined> {
  try {
    return await call(getMediaState, { params: { media_id: url.slice(url.lastIndexOf("/") + 1) } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function sendBytes(
  { file, thread_id, content, signal, onProgress }: FileUpload,
  uploadUrl: string | undefined,
  onUrl: (url: string) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const pathOf = () => new URL(upload.url ?? "", location.href).pathname;
    const upload = new Upload(content, {
      endpoint: new URL(API_BASE + UPLOADS_PATH, location.href).href,
      uploadUrl,
      chunkSize: UPLOAD_PART_BYTES,
      metadata: { name: file.name, thread_id, ...statedOf(file) },
      // The outbox keeps the URL, and decides when to try again.
      storeFingerprintForResuming: false,
      retryDelays: null,
      onUploadUrlAvailable: () => onUrl(pathOf()),
      onProgress(sent) {
        watchProgress();
        onProgress(sent);
      },
      onError: (error) => finish(() => reject(apiErrorOf(error))),
      onSuccess: () => finish(() => resolve(pathOf())),
    });

    function watchProgress(): void {
      clearTimeout(timer);
      timer = setTimeout(() => abandon(new ApiError(0)), STALLED_MS);
    }
    function abandon(reason: unknown): void {
      finish(() => reject(reason));
      upload.abort().catch(() => undefined);
    }
    const handleAbort = () => abandon(signal.reason);
    function finish(act: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", handleAbort);
      act();
    }

    signal.addEventListener("abort", handleAbort);
    watchProgress();
    upload.start();
  });
}

/** Returns what the server cannot find out about a video or a recording, because it does not decode them. */
function statedOf({ type, width, height, thumbhash, seconds, wave }: QueuedFile): Record<string, string> {
  if (!/^(?:video|audio)\//.test(type)) return {};
  const stated = Object.entries({ width, height, thumbhash, seconds, wave });
  return Object.fromEntries(stated.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

function apiErrorOf(error: Error | DetailedError): ApiError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  const status = response?.getStatus() ?? 0;
  const text = errorIn(parseJson(response?.getBody()));
  const isLater = Number(response?.getHeader("retry-after")) > WAIT_MAX_SECONDS;
  if (BUSY.includes(status)) return new ApiError(0, text, { cause: error });
  return new ApiError(status === FULL || isLater ? 422 : status, text, { cause: error });
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
