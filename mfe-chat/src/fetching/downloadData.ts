import { API_BASE, ApiError, errorBody } from "@messageoh/contracts/client";
import { EXPORT_TOTAL_HEADER, exportData } from "@messageoh/contracts/messages";

export interface DownloadOptions {
  userId: string;
  /** Called with the share that has arrived, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

const NEW_LINE = "\n".charCodeAt(0);

/**
 * Downloads all data of the user as a JSON file and reports the progress: each message is one line. Rejects with ApiError,
 * also if the response ends early.
 */
export async function downloadData({ userId, onProgress, signal }: DownloadOptions): Promise<Blob> {
  const path = exportData.path.replace(":user_id", encodeURIComponent(userId));
  try {
    const response = await fetch(API_BASE + path, { credentials: "same-origin", signal });
    if (!response.ok || !response.body) {
      const failure = errorBody.safeParse(await response.json());
      throw new ApiError(response.status, failure.data?.error);
    }
    const total = Number(response.headers.get(EXPORT_TOTAL_HEADER)) || 1;
    const reader = response.body.getReader();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let lines = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      for (const byte of value) if (byte === NEW_LINE) lines += 1;
      onProgress(Math.min(1, lines / total));
    }
    return new Blob(parts, { type: "application/json" });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, undefined, { cause: error });
  }
}
