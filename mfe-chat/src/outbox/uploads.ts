import type { Attachment } from "@messageoh/contracts/attachments";
import { ApiError } from "@messageoh/contracts/client";
import { createBackoffs, isFinal } from "./backoffs.ts";
import { afterFailure, type Failing, NOT_SENT_AFTER_MS, nextIn } from "./queue.ts";
import type { QueuedFile, QueuedMessage } from "./queuedMessage.ts";

export interface UploadWatch {
  signal: AbortSignal;
  onUrl: (url: string) => void;
  /** Called with the bytes that have arrived. */
  onProgress: (bytes: number) => void;
}

/** Uploads one file, or continues. Resolves when it can be sent; rejects with ApiError. */
export type UploadFile = (entry: QueuedMessage, file: QueuedFile, watch: UploadWatch) => Promise<Attachment>;

export interface UploadsOptions {
  uploadFile: UploadFile;
  /** Called with what has become known of a file. */
  onFile: (clientId: string, key: string, known: Pick<QueuedFile, "url" | "attachment">) => void;
  /** Called when a message is given up, with the reason of the server if there is one. */
  onFailed: (clientId: string, reason?: string) => void;
  /** Called with the share of a message that has arrived, from 0 to 1. */
  onProgress: (clientId: string, share: number) => void;
  /** Called when another upload may begin. */
  onIdle: () => void;
  now: () => number;
  random: () => number;
}

/** Uploads the files of messages: one file per thread at a time, in the order of the queue. */
export function createUploads(options: UploadsOptions) {
  const { uploadFile, onFile, onFailed, onProgress, onIdle, now, random } = options;
  /** By thread id. */
  const running = new Map<string, { clientId: string; aborter: AbortController }>();
  const backoffs = createBackoffs(onIdle, random);
  /** Failed attempts without progress, by client id. */
  const failing = new Map<string, Failing>();

  async function run(entry: QueuedMessage, aborter: AbortController): Promise<void> {
    const { client_id, thread_id, files = [] } = entry;
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const startedAt = now();
    let done = 0;
    try {
      for (const file of files) {
        const before = done;
        const report = (bytes: number) => {
          if (bytes > 0) failing.delete(client_id);
          onProgress(client_id, Math.min(1, (before + bytes) / total));
        };
        report(0);
        if (!file.attachment) {
          const attachment = await uploadFile(entry, file, {
            signal: aborter.signal,
            onUrl: (url) => onFile(client_id, file.key, { url }),
            onProgress: report,
          });
          aborter.signal.throwIfAborted();
          onFile(client_id, file.key, { attachment });
        }
        done += file.bytes;
        report(file.bytes);
      }
      backoffs.clear(thread_id);
    } catch (error) {
      if (aborter.signal.aborted) return;
      if (error instanceof ApiError && isFinal(error)) {
        backoffs.clear(thread_id);
        onFailed(client_id, error.serverMessage);
        return;
      }
      backoffs.fail(thread_id);
      const failed = afterFailure(failing.get(client_id), startedAt, now());
      failing.set(client_id, failed);
      if (failed.spentMs < NOT_SENT_AFTER_MS) return;
      failing.delete(client_id);
      onFailed(client_id);
    }
  }

  function stop(threadId: string): void {
    running.get(threadId)?.aborter.abort();
    running.delete(threadId);
  }

  return {
    /**
     * Begins the uploads that are due, and ends those of messages that are not in the queue.
     * @param canBegin the server can be reached
     */
    pump(queue: readonly QueuedMessage[], canBegin: boolean): void {
      const heads = nextIn("uploading", queue);
      for (const [threadId, { clientId }] of running) {
        if (!heads.some(({ client_id }) => client_id === clientId)) stop(threadId);
      }
      for (const entry of canBegin ? heads : []) {
        const { thread_id, client_id } = entry;
        if (running.has(thread_id) || backoffs.isWaiting(thread_id)) continue;
        const aborter = new AbortController();
        const own = { clientId: client_id, aborter };
        running.set(thread_id, own);
        void run(entry, aborter).then(() => {
          if (running.get(thread_id) === own) running.delete(thread_id);
          onIdle();
        });
      }
    },
    /** Tries again without waiting for the backoff. */
    flush: backoffs.clearAll,
  };
}
