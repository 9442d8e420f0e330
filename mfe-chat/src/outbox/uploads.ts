import type { Attachment } from "@messageoh/contracts/attachments";
import { ApiError } from "@messageoh/contracts/client";
import { createBackoffs, isFinal } from "./backoffs.ts";
import { afterFailure, type Failing, NOT_SENT_AFTER_MS, nextIn } from "./queue.ts";
import type { QueuedFile, QueuedMessage } from "./queuedMessage.ts";

export interface PrepareWatch {
  signal: AbortSignal;
  /** Called when the bytes to upload are in the file store, with what is known of them. */
  onPrepared: (known: Partial<QueuedFile>) => void;
}

/** Prepares a file that has an original. Rejects with ApiError if the original cannot be read. */
export type PrepareFile = (file: QueuedFile, watch: PrepareWatch) => Promise<void>;

export interface UploadWatch {
  signal: AbortSignal;
  onUrl: (url: string) => void;
  /** Called with the bytes that have arrived. */
  onProgress: (bytes: number) => void;
}

/** Uploads one file, or continues. Resolves when it can be sent; rejects with ApiError. */
export type UploadFile = (entry: QueuedMessage, file: QueuedFile, watch: UploadWatch) => Promise<Attachment>;

export interface UploadsOptions {
  prepareFile: PrepareFile;
  uploadFile: UploadFile;
  /** Returns whether the server can be reached. */
  canSend: () => boolean;
  /** Called with what has become known of a file. */
  onFile: (clientId: string, key: string, known: Partial<QueuedFile>) => void;
  /** Called when a message is given up, with the reason of the server if there is one. */
  onFailed: (clientId: string, reason?: string) => void;
  /** Called with the share of a message that has arrived, from 0 to 1. */
  onProgress: (clientId: string, share: number) => void;
  /** Called when another upload may begin. */
  onIdle: () => void;
}

const isPrepared = ({ files = [] }: QueuedMessage) => files.every(({ original }) => original === undefined);

/** Prepares and uploads the files of messages: one message per thread at a time, in the order of the queue. */
export function createUploads(options: UploadsOptions) {
  const { prepareFile, uploadFile, canSend, onFile, onFailed, onProgress, onIdle } = options;
  /** By thread id. */
  const running = new Map<string, { clientId: string; aborter: AbortController }>();
  const backoffs = createBackoffs(onIdle);
  /** Failed attempts without progress, by client id. */
  const failing = new Map<string, Failing>();

  async function prepare({ client_id, files = [] }: QueuedMessage, signal: AbortSignal): Promise<void> {
    const originals = files.filter(({ original }) => original !== undefined);
    await Promise.all(
      originals.map((file) => prepareFile(file, { signal, onPrepared: (known) => onFile(client_id, file.key, known) })),
    );
  }

  async function upload(entry: QueuedMessage, signal: AbortSignal): Promise<void> {
    const { client_id, files = [] } = entry;
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const file of files) {
      const before = done;
      const report = (bytes: number) => {
        if (bytes > 0) failing.delete(client_id);
        onProgress(client_id, Math.min(1, (before + bytes) / total));
      };
      report(0);
      if (!file.attachment) {
        const attachment = await uploadFile(entry, file, {
          signal,
          onUrl: (url) => onFile(client_id, file.key, { url }),
          onProgress: report,
        });
        signal.throwIfAborted();
        onFile(client_id, file.key, { attachment });
      }
      done += file.bytes;
      report(file.bytes);
    }
  }

  async function run(entry: QueuedMessage, { signal }: AbortController): Promise<void> {
    const { client_id, thread_id } = entry;
    const startedAt = Date.now();
    try {
      await (isPrepared(entry) ? upload : prepare)(entry, signal);
      backoffs.clear(thread_id);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && isFinal(error)) {
        backoffs.clear(thread_id);
        onFailed(client_id, error.serverMessage);
        return;
      }
      backoffs.fail(thread_id);
      // Without a connection, the code that prepares files may not load; that is no failed attempt.
      if (!canSend()) return;
      const failed = afterFailure(failing.get(client_id), startedAt, Date.now());
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
    /** Begins the work that is due, and ends that on messages that are not in the queue. */
    pump(queue: readonly QueuedMessage[]): void {
      const heads = nextIn("uploading", queue);
      for (const [threadId, { clientId }] of running) {
        if (!heads.some(({ client_id }) => client_id === clientId)) stop(threadId);
      }
      for (const entry of heads) {
        const { thread_id, client_id } = entry;
        if (isPrepared(entry) && !canSend()) continue;
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
